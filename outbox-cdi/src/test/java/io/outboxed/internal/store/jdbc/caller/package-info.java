/** Statements on the application's connection. On each database: {@code AggregateLockContract}, {@code InboxContract}. */
package io.outboxed.internal.store.jdbc.caller;
