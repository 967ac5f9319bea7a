/**
 * What travels from the publisher to the handlers in addition to the event: traces, and what the application's
 * propagators capture.
 */
package io.outboxed.internal.tracing;
