package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What commands say and leave behind when their database is down or dies. */
interface KilledDatabaseContract extends CommandRunner {
    String ID = "0199aa10-7c00-7000-8000-000000000001";

    List<String> VALID = List.of(
            "status",
            "list",
            "list --state ready",
            "show " + ID,
            "retry " + ID + " --handler mail",
            "replay --all --yes --accept-order",
            "replay --all --yes --accept-order --background",
            "discard " + ID + " --yes",
            "drop-deliveries --handler mail --yes",
            "operations",
            "operations " + ID,
            "cancel " + ID,
            "pause --all",
            "resume --all",
            "audit",
            "cleanup --older-than 90d --yes",
            "partitions --period day",
            "partitions --period day --apply --yes",
            "schema verify",
            "schema upgrade",
            "check");

    RealDatabase server();

    @Test
    default void each_command_says_that_the_database_is_down() {
        assertThat(Commands.names())
                .allMatch(name -> Commands.WITHOUT_DATABASE.contains(name)
                        || VALID.stream().anyMatch(line -> line.startsWith(name)));
        server().kill();
        try {
            for (String line : VALID) {
                newTerminal();
                assertThat(run(line.split(" "))).as(line).isEqualTo(ExitCode.DATABASE);
                assertThat(terminal().errors())
                        .as(line)
                        .startsWith("outbox: ")
                        .contains("The database can't be reached")
                        .doesNotContain("\tat ", "Exception");
            }
        } finally {
            server().restart();
        }
    }

    @Test
    default void a_cleanup_whose_database_is_killed_has_recorded_what_it_deleted_and_the_next_one_goes_on()
            throws SQLException {
        for (int i = 0; i < 5; i++) {
            tables().history(100);
        }
        terminal().onPause(count -> {
            if (count == 2) {
                server().kill();
            }
            return true;
        });
        String[] cleanup = "cleanup --older-than 90d --batch-size 1 --yes".split(" ");

        assertThat(run(cleanup)).isEqualTo(ExitCode.DATABASE);
        server().restart();
        try (Tables again = Tables.existing(source(), dialect())) {
            assertThat(again.count("history")).isEqualTo(3);
            assertThat(again.texts("SELECT SUM(changes) FROM outbox_audit")).containsExactly("2");
            output(cleanup);
            assertThat(again.count("history")).isZero();
            assertThat(again.texts("SELECT SUM(changes) FROM outbox_audit")).containsExactly("5");
        }
    }
}
