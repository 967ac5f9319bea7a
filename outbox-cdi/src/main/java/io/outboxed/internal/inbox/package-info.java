/**
 * Effects that happen once for each message and receiver: {@code TransactionalInbox} for calls by hand, {@code
 * IdempotentInterceptor} for annotated methods. The row that decides is written by {@code capture.InboxRows}, which
 * publish keys use as well.
 */
package io.outboxed.internal.inbox;
