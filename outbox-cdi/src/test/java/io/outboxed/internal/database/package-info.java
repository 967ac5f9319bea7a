/**
 * What the store needs from JDBC. A change of the relay's connections starts with {@code ConnectionsTest} and, for
 * those borrowed from a pool, {@code RelayConnectionTest}. A new database or version starts with {@code DialectTest};
 * which secrets a log may not show is in {@code DatabaseDescriptionTest}.
 */
package io.outboxed.internal.database;
