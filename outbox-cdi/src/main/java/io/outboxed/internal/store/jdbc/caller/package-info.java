/**
 * Statements in the application's transaction, on its connection: on the messages that it stored, for the lock of an
 * aggregate, and on the inbox.
 */
package io.outboxed.internal.store.jdbc.caller;
