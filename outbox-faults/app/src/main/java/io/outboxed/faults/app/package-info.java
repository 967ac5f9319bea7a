/** Writers and handlers that keep a history of what they did. Uses only the public API. */
package io.outboxed.faults.app;
