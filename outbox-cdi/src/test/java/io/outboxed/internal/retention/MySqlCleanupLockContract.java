package io.outboxed.internal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** On MySQL and MariaDB, a named lock outlives the transaction: the server has to end a session whose client is gone. */
public interface MySqlCleanupLockContract extends CleanupLockContract {

    @Test
    default void a_session_that_does_nothing_is_ended_with_its_lock_after_ten_seconds() throws Exception {
        RelayConnection connection = RelayConnection.open(jdbc().source(), jdbc().dialect());
        try {
            assertThat(new Jdbc(connection.connection(), jdbc().dialect())
                            .first("SELECT @@SESSION.wait_timeout AS found", row -> row.getLong("found")))
                    .hasValue(10L);
        } finally {
            connection.close();
        }
    }

    @Test
    default void a_borrowed_session_may_afterwards_do_nothing_for_as_long_as_before() throws Exception {
        try (Connection borrowed = jdbc().open()) {
            Jdbc session = new Jdbc(borrowed, jdbc().dialect());
            session.update("SET SESSION wait_timeout = 777");
            String restoring = session.list(jdbc().dialect().currentSettings(), row -> row.getString(1))
                    .get(0);
            assertThat(restoring).contains(", wait_timeout = 777,");
        }
    }
}
