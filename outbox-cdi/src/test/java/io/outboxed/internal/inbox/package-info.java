/**
 * Effects that happen once. A change of {@code Inbox} or {@code @Idempotent} starts with
 * {@code IdempotentInterceptorTest}, over rows in memory; which methods a deployment refuses is in
 * {@code IdempotentMethodsExtensionTest}. The rows on each database are tested by {@code InboxContract} in
 * {@code internal.store}.
 */
package io.outboxed.internal.inbox;
