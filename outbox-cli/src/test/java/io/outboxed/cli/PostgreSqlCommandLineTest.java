package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgreSqlCommandLineTest extends ServerCommandLineContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.durable(Dialect.POSTGRESQL);

    @Test
    void a_setting_that_loses_events_is_found() throws SQLException {
        tables().run("ALTER DATABASE outbox SET synchronous_commit = off");
        try {
            assertThat(output("check")).contains("warning  synchronous_commit: is off");
        } finally {
            tables().run("ALTER DATABASE outbox RESET synchronous_commit");
        }
    }

    @Test
    void a_preview_of_what_cannot_be_undone_says_that_it_counted_up_to_a_limit() throws SQLException {
        tables().run("INSERT INTO outbox_history (id, processed_at, seq, shard, lane, type, payload_size, delay_micros,"
                + " registry_version) SELECT gen_random_uuid(), i, i, 7, 7, 'order.placed', 0, 0, 0"
                + " FROM generate_series(1, 100001) AS i");
        tables().run("INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state)"
                + " SELECT gen_random_uuid(), 'gone', 'gone', i, 7, 7, 0 FROM generate_series(1, 200001) AS i");
        try {
            assertThat(run("cleanup", "--older-than", "1d")).isEqualTo(ExitCode.UNCONFIRMED);
            assertThat(terminal().output()).contains("To be deleted: at least 100,000 rows of history. This can't");
            assertThat(json("cleanup", "--older-than", "1d", "--dry-run", "--json"))
                    .isEqualToIgnoringNewLines("{\"found\":{\"history\":100000},\"atLeast\":[\"history\"]}");
            newTerminal();
            assertThat(run("drop-deliveries", "--handler", "gone")).isEqualTo(ExitCode.UNCONFIRMED);
            assertThat(terminal().output()).contains("At least 200,000 deliveries wait for handler gone.");
            newTerminal();
            assertThat(run("drop-deliveries", "--handler", "gone", "--json")).isEqualTo(ExitCode.UNCONFIRMED);
            assertThat(terminal().output()).contains("\"waiting\":200000,", "\"atLeast\":[\"waiting\"]");
            newTerminal();
            assertThat(run("drop-deliveries", "--handler", "nobody")).isEqualTo(ExitCode.UNCONFIRMED);
            assertThat(terminal().output())
                    .as("its deliveries may be behind those that were read")
                    .contains("It is not registered for any type.", "At least 0 deliveries wait for handler nobody.");
        } finally {
            tables().run("TRUNCATE outbox_history, outbox_delivery");
        }
    }

    @Test
    void the_status_is_watched_on_after_the_database_was_down() {
        terminal().onPause(count -> {
            if (count == 1) {
                server().kill();
            } else if (count == 2) {
                server().restart();
            }
            return count < 4;
        });

        assertThat(run("status", "--watch")).as(terminal().errors()).isZero();
        assertThat(terminal().errors().lines().filter(line -> line.startsWith("outbox: ")))
                .hasSize(1);
        assertThat(terminal().output().split("oldest due message", -1))
                .as("drawn three times")
                .hasSize(4);
    }

    @Override
    DatabaseServer database() {
        return SERVER;
    }

    @Test
    void an_isolation_at_which_applications_are_rolled_back_is_found() throws SQLException {
        try {
            for (String good : new String[] {"read committed", "read uncommitted", "repeatable read"}) {
                tables().run("ALTER ROLE CURRENT_USER SET default_transaction_isolation = '" + good + "'");
                assertThat(output("check")).contains("ok       isolation: ");
            }
            tables().run("ALTER ROLE CURRENT_USER SET default_transaction_isolation = 'serializable'");
            assertThat(output("check")).contains("warning  isolation: SERIALIZABLE", "that overlap are rolled back");
        } finally {
            tables().run("ALTER ROLE CURRENT_USER RESET default_transaction_isolation");
        }
    }
}
