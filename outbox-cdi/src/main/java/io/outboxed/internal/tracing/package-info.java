/** What travels from the publisher to the handlers beside the event: traces, and what the application's propagators take. */
package io.outboxed.internal.tracing;
