/**
 * From the business method to the row: start at {@code OutboxWriterTest} with its {@code CaptureFixture}; on a
 * database at {@code RowContract}.
 */
package io.outboxed.internal.capture;
