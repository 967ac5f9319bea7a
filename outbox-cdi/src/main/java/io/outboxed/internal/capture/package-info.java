/**
 * How an event gets into the caller's transaction. {@code OutboxedInterceptor} and {@code OutboxBean} are the entry
 * points, {@code RowFactory} checks the event and builds its row, {@code TransactionRows} writes it as the
 * transaction's last statement.
 */
package io.outboxed.internal.capture;
