package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.store.JdbcContract;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The relay without connections of its own: it borrows them from a pool that the application uses as well. */
public interface SharedPoolContract extends JdbcContract {

    @Test
    default void a_borrowed_connection_goes_back_as_it_came() throws Exception {
        try (Connection only = jdbc().open()) {
            only.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            String before = state(only);
            Connections borrowing =
                    new Connections(ConnectionSource.shared(() -> WatchedConnection.unclosed(only)), dialect(), 1);

            String ofTheRelay = borrowing.autoCommit(jdbc -> state(only));
            borrowing.close();

            assertThat(ofTheRelay).startsWith("isolation " + Connection.TRANSACTION_READ_COMMITTED);
            assertThat(ofTheRelay).isNotEqualTo(before);
            assertThat(state(only)).isEqualTo(before);
        }
    }

    private Dialect dialect() {
        return jdbc().dialect();
    }

    private String state(Connection connection) throws SQLException {
        return "isolation " + connection.getTransactionIsolation() + ", autocommit " + connection.getAutoCommit() + ", "
                + new Jdbc(connection, dialect())
                        .first(dialect().currentSettings(), row -> row.getString(1))
                        .orElseThrow();
    }
}
