package io.outboxed.internal.database;

import java.sql.SQLException;

@FunctionalInterface
public interface SqlSupplier<T> {
    T get() throws SQLException;
}
