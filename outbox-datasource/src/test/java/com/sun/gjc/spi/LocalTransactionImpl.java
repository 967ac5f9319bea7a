package com.sun.gjc.spi;

import java.sql.Connection;
import java.sql.SQLException;

/** Calls a connection as the class of this name in Payara does for a JTA transaction. */
public final class LocalTransactionImpl {
    private final Connection connection;

    public LocalTransactionImpl(Connection connection) {
        this.connection = connection;
    }

    public void begin() throws SQLException {
        connection.setAutoCommit(false);
    }

    public void commit() throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }
}
