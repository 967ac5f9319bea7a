/**
 * What surrounds one call of a handler. A change of the qualifiers of a delivered event starts with
 * {@code DeliveredEventTest}, one of the delivery's time limit with {@code TransactionTimeoutTest}. Calls as a whole
 * are tested in {@code handlers}.
 */
package io.outboxed.internal.handlers.invocation;
