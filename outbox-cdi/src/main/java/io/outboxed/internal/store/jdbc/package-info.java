/** The store in a database. All statements are in {@link io.outboxed.internal.store.sql.Sql}. */
package io.outboxed.internal.store.jdbc;
