/** Statements on stored messages in the transaction of the application, on its connection. */
package io.outboxed.internal.store.jdbc.caller;
