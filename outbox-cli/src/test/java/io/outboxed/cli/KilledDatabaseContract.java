package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "replay --all --yes --allow-reordering, 2 dead letters were replayed.",
        "discard --all --yes, 2 dead letters were discarded.",
        "drop-deliveries --handler old --yes, 2 deliveries were dropped."
    })
    default void a_database_that_is_killed_during_a_change_loses_nothing_and_the_next_one_goes_on(
            String command, String done) throws SQLException {
        tables().handler("order.placed", "old", true);
        for (int i = 0; i < 5; i++) {
            if (command.startsWith("drop")) {
                tables().waiting("order.placed", "" + i, "old");
            } else {
                tables().dead("order.placed", "" + i, "mail", "down");
            }
        }
        killedDuring(command + " --rate 1", () -> {
            assertThat(terminal().output()).contains(done);
            newTerminal();
            assertThat(run("status")).isEqualTo(ExitCode.DATABASE);
            assertThat(terminal().errors())
                    .contains("The database can't be reached")
                    .doesNotContain("\tat ");
        });

        try (Tables again = Tables.existing(source(), dialect())) {
            assertThat(List.of(changed(again), again.count("dead") + again.count("delivery")))
                    .containsExactly(2, 3);
            output(command.split(" "));
            assertThat(List.of(changed(again), again.count("dead") + again.count("delivery")))
                    .containsExactly(5, 0);
            assertThat(again.count("message")).isEqualTo(command.startsWith("replay") ? 5 : 0);
        }
    }

    /** As the audit says. */
    private static int changed(Tables tables) throws SQLException {
        return Integer.parseInt(
                tables.texts("SELECT SUM(changes) FROM outbox_audit").get(0));
    }

    @Test
    default void a_repeated_cleanup_outlives_a_kill_of_its_database() throws SQLException {
        tables().history(100);
        terminal().onPause(count -> {
            if (count == 1) {
                server().kill();
            } else if (count == 2) {
                server().restart();
                addHistory();
            }
            return count < 3;
        });

        assertThat(run("cleanup", "--older-than", "90d", "--every", "1h", "--yes", "--json"))
                .isZero();
        assertThat(terminal().output().lines())
                .containsExactly(
                        "{\"deleted\":{\"history\":1},\"left\":{\"history\":0},\"atLeast\":[]}",
                        "{\"deleted\":{\"history\":0}}",
                        "{\"deleted\":{\"history\":1},\"left\":{\"history\":0},\"atLeast\":[]}");
        assertThat(terminal().errors())
                .containsOnlyOnce("failed with vendor code")
                .containsOnlyOnce("outbox: the next run follows in 3,600 s");
    }

    private void addHistory() {
        try (Tables again = Tables.existing(source(), dialect())) {
            again.history(100);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
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
