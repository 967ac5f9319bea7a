/**
 * Handlers of any type, a failure classifier and a failure handler, in a server. Start with {@code AnyEventIT};
 * {@code Everything} is the application and {@code Failures} its classifier and failure handler. Without a server:
 * {@code AnyEventTest}, {@code OwnClassifierTest} and {@code FailureHandlerTest} in {@code outbox-cdi}.
 */
package io.outboxed.it.any;
