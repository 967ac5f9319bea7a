/** Every log line, with its id. */
package io.outboxed.internal.log;
