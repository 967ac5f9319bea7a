/**
 * Handlers on a real server, with its own transactions, session beans and Fault Tolerance. A new kind of handler
 * starts with {@code HandlersIT} and an event of its own in {@code Events}. {@code Notes} records what handlers did.
 * Without a server: {@code DemarcationTest} and {@code TransactionPerTryTest} in {@code outbox-cdi}.
 */
package io.outboxed.it.handlers;
