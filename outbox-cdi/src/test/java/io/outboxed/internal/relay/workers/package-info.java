/**
 * Calls and acknowledgements: start at {@code WorkerTest}, {@code CallQueueTest} or {@code AcknowledgerTest}.
 */
package io.outboxed.internal.relay.workers;
