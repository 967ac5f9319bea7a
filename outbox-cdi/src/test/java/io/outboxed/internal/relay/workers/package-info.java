/**
 * Calls and acknowledgements. A change of how a call ends starts with {@code WorkerTest}, one of which call comes next
 * with {@code CallQueueTest}, and one of how successes are recorded with {@code AcknowledgerTest}. Batches are in
 * {@code BatchCallsTest}, forwarders in {@code PipelinedCallsTest}, time limits in {@code RunningCallsTest}.
 */
package io.outboxed.internal.relay.workers;
