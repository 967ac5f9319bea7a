/**
 * What the store needs from JDBC. A change of the relay's connections starts with {@code ConnectionsTest} and, for
 * those borrowed from a pool, {@code RelayConnectionTest}. A new database or version starts with {@code DialectTest};
 * which secrets a log may not show is in {@code DatabaseDescriptionTest}. With {@code WatchedConnection} a test notes,
 * changes or fails the calls of a connection.
 */
package io.outboxed.internal.database;
