package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.operations.OutboxOperations;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that keep the tables small, on a real database. */
abstract class MaintenanceCommandsContract extends CommandLineContract {

    /** Two old rows and a new one in each table that has an age. */
    private void fill() throws SQLException {
        tables.history(100);
        tables.history(91);
        tables.history(1);
        tables.inbox("mail", 100);
        tables.inbox("mail", 91);
        tables.inbox("mail", 1);
        tables.dead("order.placed", "1", "mail", "down");
        tables.dead("order.placed", "2", "mail", "down");
        tables.blocked("order.placed", "3", "mail", "down");
        tables.handler("order.placed", "old", true);
        tables.handler("order.placed", "mail", true);
    }

    @Test
    void a_cleanup_deletes_the_old_history_and_nothing_that_was_not_named() throws SQLException {
        fill();
        Map<String, Integer> before = tables.counts();

        assertThat(json("cleanup", "--older-than", "90d", "--yes", "--json")).contains("{\"deleted\":{\"history\":2}}");
        assertThat(tables.count("history")).isOne();
        assertThat(tables.counts())
                .usingRecursiveComparison()
                .ignoringFields("history", "audit")
                .isEqualTo(before);
        assertThat(output("cleanup", "--older-than", "90d", "--yes", "--once")).contains("Deleted: 0 rows of history.");
    }

    @Test
    void a_cleanup_includes_what_is_named_but_no_dead_letter_that_holds_up_its_aggregate() throws SQLException {
        fill();

        assertThat(output(
                        "cleanup",
                        "--older-than",
                        "90d",
                        "--include-inbox",
                        "--include-dead",
                        "--include-retired",
                        "--batch-size",
                        "1",
                        "--yes"))
                .contains("2 rows of history", "2 rows of inbox", "2 rows of dead", "1 registration of handlers");
        assertThat(tables.count("history")).isOne();
        assertThat(tables.count("inbox")).isOne();
        assertThat(tables.texts("SELECT aggregate_id FROM outbox_dead")).containsExactly("3");
        assertThat(tables.texts("SELECT handler FROM outbox_handler"))
                .as("something waits for it")
                .containsExactly("mail");
    }

    @Test
    void a_cleanup_that_is_not_confirmed_only_counts() throws SQLException {
        fill();
        Map<String, Integer> before = tables.counts();

        assertThat(output("cleanup", "--older-than", "90d", "--include-dead", "--dry-run"))
                .contains("Would be deleted: 2 rows of history, 2 rows of dead.", "Nothing was changed.");
        assertThat(run("cleanup", "--older-than", "90d")).isEqualTo(ExitCode.UNCONFIRMED);
        terminal = new ScriptedTerminal().answering("no");
        assertThat(run("cleanup", "--older-than", "90d")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(tables.counts()).isEqualTo(before);
        terminal = new ScriptedTerminal().answering("cleanup");
        assertThat(run("cleanup", "--older-than", "90d")).isZero();
        assertThat(tables.count("history")).isOne();
    }

    @Test
    void an_interrupted_cleanup_keeps_what_it_has_done_and_the_next_one_goes_on() throws SQLException {
        fill();
        terminal.onPause(count -> false);

        assertThat(run("cleanup", "--older-than", "90d", "--batch-size", "1", "--yes"))
                .isEqualTo(ExitCode.INTERRUPTED);
        assertThat(terminal.output()).contains("Deleted: 1 row of history.");
        assertThat(tables.count("history")).isEqualTo(2);
        output("cleanup", "--older-than", "90d", "--batch-size", "1", "--yes");
        assertThat(tables.count("history")).isOne();
    }

    @Test
    void a_repeated_cleanup_deletes_what_has_become_old_until_it_is_interrupted() {
        terminal.onPause(count -> {
            history();
            return count < 3;
        });

        assertThat(run("cleanup", "--older-than", "90d", "--every", "1h", "--yes", "--json"))
                .isZero();
        assertThat(terminal.output().lines())
                .containsExactly(
                        "{\"deleted\":{\"history\":0}}",
                        "{\"deleted\":{\"history\":1}}",
                        "{\"deleted\":{\"history\":1}}");
    }

    private void history() {
        try {
            tables.history(100);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void pauses_are_shown_by_the_status_until_they_are_resumed() throws SQLException {
        assertThat(output("pause", "--handler", "mail", "--by", "alice", "--reason", "mail server is down"))
                .contains("Paused: handler mail.");
        assertThat(run("pause", "--handler", "mail")).isEqualTo(ExitCode.FOUND);
        assertThat(output("status")).containsPattern("handler mail +\\S+ +alice +mail server is down");
        assertThat(json("status", "--json")).contains("\"pauses\":[{\"kind\":\"handler\",\"name\":\"mail\"");
        assertThat(json("resume", "--handler", "mail", "--json")).contains("{\"changed\":true}");
        assertThat(run("resume", "--handler", "mail")).isEqualTo(ExitCode.FOUND);
        assertThat(json("status", "--json")).contains("\"pauses\":[]");
        assertThat(tables.texts("SELECT action FROM outbox_audit ORDER BY changed_at"))
                .containsExactly("pause", "resume");
    }

    @Test
    void each_change_leaves_its_audit() throws SQLException {
        tables.dead("order.placed", "1", "mail", "down");
        tables.dead("order.placed", "2", "mail", "down");
        tables.handler("order.placed", "old", false);
        tables.waiting("order.placed", "3", "old");

        output("replay", "--all", "--limit", "1", "--yes", "--accept-order", "--by", "alice", "--reason", "repaired");
        output("discard", "--all", "--yes", "--by", "alice");
        output("drop-deliveries", "--handler", "old", "--retire", "--yes", "--by", "alice");
        assertThat(tables.texts("SELECT CONCAT(changed_by, ' ', changed_via, ' ', action) FROM outbox_audit"))
                .containsExactlyInAnyOrder(
                        "alice cli replay", "alice cli discard", "alice cli retire", "alice cli drop-deliveries");
    }

    @Test
    void a_replay_in_the_background_is_left_to_the_nodes_until_it_is_cancelled() throws SQLException {
        tables.dead("order.placed", "1", "mail", "down");
        tables.dead("order.placed", "2", "mail", "down");

        String started = json(
                "replay",
                "--handler",
                "mail",
                "--yes",
                "--accept-order",
                "--background",
                "--rate",
                "5",
                "--by",
                "alice",
                "--reason",
                "repaired",
                "--json");
        assertThat(started)
                .contains("\"state\":\"running\"", "\"matched\":2", "\"changed\":0", "\"perSecond\":5")
                .contains("\"reason\":\"repaired\"");
        assertThat(tables.texts("SELECT target FROM outbox_audit").get(0))
                .startsWith("dead letters of handler mail until ");
        assertThat(output("operations")).containsPattern("replay +running +0 +2 +\\S+ +- +alice +repaired");
        String operation = started.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1").strip();
        assertThat(output("cancel", operation, "--reason", "wrong handler")).contains("It changes nothing more.");
        assertThat(run("cancel", operation)).isEqualTo(ExitCode.FOUND);
        assertThat(json("operations", operation, "--json")).contains("\"state\":\"cancelled\"");
        assertThat(run("operations", "018f3c1e-7b1a-7000-8000-00000000abcd")).isEqualTo(ExitCode.FOUND);
        assertThat(tables.count("dead")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--all", "--all --background"})
    void what_dies_while_the_preview_is_read_is_not_discarded(String options) throws SQLException {
        tables.dead("order.placed", "1", "mail", "seen");
        terminal.answering("discard").onQuestion(() -> diesNow("unseen"));

        List<String> arguments = new ArrayList<>(List.of("discard"));
        arguments.addAll(List.of(options.split(" ")));
        assertThat(run(arguments.toArray(String[]::new))).as(terminal.errors()).isZero();
        try (OutboxOperations nodes = OutboxOperations.open(source(), "outbox_");
                Connections connections = new Connections(source(), dialect(), 1)) {
            nodes.bulkRunner(connections, discarded -> {}).work();
        }
        assertThat(tables.texts("SELECT error FROM outbox_dead")).containsExactly("unseen");
    }

    private void diesNow(String error) {
        try {
            tables.dead("order.placed", "2", "mail", error);
            long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            tables.run("UPDATE outbox_dead SET died_at = ? WHERE error = ?", now, error);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void wrong_arguments_of_the_maintenance_change_nothing() throws SQLException {
        fill();
        Map<String, Integer> before = tables.counts();
        for (List<String> arguments : List.of(
                List.of("pause"),
                List.of("pause", "--all", "--handler", "mail"),
                List.of("pause", "--all", "--by", " "),
                List.of("pause", "--all", "--reason", "x".repeat(501)),
                List.of("resume", "--type", ""),
                List.of("replay", "--all", "--yes", "--accept-order", "--background", "--limit", "1"),
                List.of("discard", "--all", "--yes", "--background", "--rate", "1001"),
                List.of("operations", "7"),
                List.of("cancel"),
                List.of("cleanup", "--yes"),
                List.of("cleanup", "--older-than", "90", "--yes"),
                List.of("cleanup", "--older-than", "59s", "--yes"),
                List.of("cleanup", "--older-than", "90d", "--batch-size", "0", "--yes"),
                List.of("cleanup", "--older-than", "90d", "--once", "--every", "1h", "--yes"),
                List.of("cleanup", "--older-than", "90d", "--every", "32d", "--yes"),
                List.of("partitions", "--apply", "--yes"),
                List.of("partitions", "--period", "week"),
                List.of("partitions", "--period", "day", "--look-ahead", "366d"),
                List.of("partitions", "--period", "day", "--retention", "59m"),
                List.of("partitions", "--period", "day", "--every", "1h"),
                List.of("partitions", "--period", "day", "--every", "1h", "--apply", "--convert"))) {
            terminal = new ScriptedTerminal();
            assertThat(run(arguments.toArray(String[]::new)))
                    .as(String.join(" ", arguments))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(terminal.errors())
                    .as(String.join(" ", arguments))
                    .startsWith("outbox: ")
                    .contains("Nothing was changed.")
                    .doesNotContain("Exception");
        }
        assertThat(tables.counts()).isEqualTo(before);
    }
}
