/**
 * Effects that happen once for each message and receiver: {@code TransactionalInbox} for {@code Inbox.once}, {@code
 * IdempotentInterceptor} for annotated methods. {@code capture.InboxRows} writes the row that decides, for publish keys
 * too.
 */
package io.outboxed.internal.inbox;
