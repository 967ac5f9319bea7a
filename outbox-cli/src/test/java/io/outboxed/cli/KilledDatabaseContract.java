package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What commands say and leave behind when their database is down or dies. */
interface KilledDatabaseContract extends CommandRunner {
    String ID = "0199aa10-7c00-7000-8000-000000000001";

    List<String> VALID = List.of(
            "status",
            "list",
            "list --state ready",
            "show " + ID,
            "failures",
            "handlers",
            "retry " + ID + " --handler mail",
            "retry --all --yes --background",
            "replay --all --yes --allow-reordering",
            "replay --all --yes --allow-reordering --background",
            "discard " + ID + " --yes",
            "discard --all --yes --background",
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
    default void
            each_command_says_that_the_database_is_down_and_a_cleanup_that_was_killed_with_it_has_recorded_what_it_deleted()
                    throws SQLException {
        assertThat(Commands.names())
                .allMatch(name -> Commands.WITHOUT_DATABASE.contains(name)
                        || VALID.stream().anyMatch(line -> line.startsWith(name)));
        for (int i = 0; i < 5; i++) {
            tables().history(100);
        }
        String cleanup = "cleanup --older-than 90d --yes";

        killedDuring(cleanup + " --batch-size 1", () -> {
            for (String line : VALID) {
                newTerminal();
                assertThat(run(line.split(" "))).as(line).isEqualTo(ExitCode.DATABASE);
                assertThat(terminal().errors())
                        .as(line)
                        .startsWith("outbox: ")
                        .contains("The database can't be reached")
                        .doesNotContain("\tat ", "Exception");
            }
        });

        try (Tables again = Tables.existing(source(), dialect())) {
            assertThat(again.count("history")).isEqualTo(3);
            assertThat(again.texts("SELECT SUM(changes) FROM outbox_audit")).containsExactly("2");
            output(cleanup.split(" "));
            assertThat(again.count("history")).isZero();
            assertThat(again.texts("SELECT SUM(changes) FROM outbox_audit")).containsExactly("5");
        }
    }

    /** In the second pause of the command. */
    default void killedDuring(String command, Runnable whileItIsDown) {
        AtomicBoolean killed = new AtomicBoolean();
        terminal().onPause(count -> {
            if (count == 2) {
                server().kill();
                killed.set(true);
            }
            return true;
        });
        try {
            assertThat(run(command.split(" "))).as(terminal().errors()).isEqualTo(ExitCode.DATABASE);
            assertThat(killed).as("killed").isTrue();
            whileItIsDown.run();
        } finally {
            server().restart();
        }
    }
}
