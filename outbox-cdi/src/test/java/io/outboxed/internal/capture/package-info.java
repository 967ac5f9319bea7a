/**
 * From the business method to the row.
 *
 * <p>A change of publishing starts with {@code OutboxBeanTest}; headers and payload are in
 * {@code HeadersAndTextTest}, delays in {@code DelaysTest}, cancellation in {@code CancelTest}, and the order of
 * writes before the commit in {@code WrittenLastTest}. The annotations on methods are in
 * {@code OutboxedInterceptorTest}, {@code OutboxedEventsTest} and {@code SerializedInterceptorTest}, and what is refused
 * at deployment in {@code OutboxedMethodsExtensionTest} and {@code OutboxedClassesTest}. A change of the entity or its
 * SQL starts with {@code RowContract}, which runs on each database.
 *
 * <p>Fixtures: {@code CaptureFixture} is capture without a server, {@code InterceptedBeans} deploys it with beans
 * of a test, {@code SmallTransaction} is its transaction, and {@code RowFixture} the persistence unit on real tables.
 */
package io.outboxed.internal.capture;
