/**
 * The example in servers that have MicroProfile Reactive Messaging, with a real broker.
 *
 * <p>A change of the channel or its handler starts with {@code ReactiveMessagingIT}; what is on its way when the
 * server ends is in {@code StoppedServerIT}. {@code ReactiveMessagingPageTest} compares docs/reactive-messaging.md
 * with the example. {@code RunningExample} starts server, database and broker; {@code StoredEvents} reads the outbox's
 * tables from outside.
 */
package io.outboxed.reactivemessaging;
