/**
 * Statements on the application's connection. Which row an aggregate locks is in {@code AggregateLockTest}. The
 * statements on each database are in {@code AggregateLockContract} and {@code InboxContract} of {@code store}.
 */
package io.outboxed.internal.store.jdbc.caller;
