/**
 * What is set up in Hibernate before the first insert. A change in how the dialect is chosen starts with
 * {@code DialectFromUrlTest}, one of the size of a batch of rows with {@code RowInsertTest}. Rows on real databases
 * are tested by {@code RowContract} in {@code internal.capture}.
 */
package io.outboxed.internal.hibernate;
