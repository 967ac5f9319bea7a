/**
 * Observers and how they are called.
 *
 * <p>A change of discovery or invocation starts with {@code ObserverInvocationTest}, one of transactions with
 * {@code DemarcationTest} and {@code TransactionPerTryTest}. What a deployment refuses is in
 * {@code RefusedHandlersTest}; groups are in {@code HandlerGroupTest}, batches in {@code BatchesTest}, classifiers in
 * {@code OwnClassifierTest}. The beans that applications inject are in {@code DeadLettersTest} and
 * {@code OutboxAdminTest}.
 *
 * <p>Fixtures: {@code Deployment} deploys a test's beans with Weld, Fault Tolerance, Narayana and H2;
 * {@code RunningRelay} is a node with its threads that calls them; {@code DemarcatedHandlers} are beans with each kind
 * of transaction.
 */
package io.outboxed.internal.handlers;
