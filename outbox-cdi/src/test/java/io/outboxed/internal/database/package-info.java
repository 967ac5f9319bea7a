/**
 * What the store needs from JDBC: start at {@code ConnectionsTest}; a difference between databases:
 * {@code DialectTest}.
 */
package io.outboxed.internal.database;
