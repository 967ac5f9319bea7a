/**
 * Whether and when a failure is tried again. A change of the decision starts with {@code FailurePolicyTest}, one of
 * the times with {@code BackoffTest}, and one of when a handler counts as down with {@code HandlerCircuitBreakersTest}. All
 * of them work without a database; retries of a whole relay are in {@code RetryTimesTest} of {@code relay}.
 */
package io.outboxed.internal.relay.failure;
