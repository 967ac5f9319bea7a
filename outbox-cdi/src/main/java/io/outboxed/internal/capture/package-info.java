/**
 * How an event gets into the caller's transaction. {@code OutboxedInterceptor} and {@code OutboxWriter} are the doors,
 * {@code RowFactory} checks and makes the row, {@code TransactionRows} writes it as the transaction's last statement.
 */
package io.outboxed.internal.capture;
