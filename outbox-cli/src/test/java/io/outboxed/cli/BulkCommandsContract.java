package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.operator.OperatorJson;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code replay} and {@code discard} leave to the nodes, and what {@code operations} and {@code cancel} do. */
interface BulkCommandsContract extends CommandRunner {

    @Test
    default void a_replay_in_the_background_is_left_to_the_nodes_until_it_is_cancelled() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().dead("order.placed", "2", "mail", "down");

        String started = json(
                "replay",
                "--handler",
                "mail",
                "--yes",
                "--allow-reordering",
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
        assertThat(tables().texts("SELECT target FROM outbox_audit").get(0))
                .startsWith("dead letters until ")
                .endsWith(" of handler mail");
        assertThat(output("operations"))
                .containsPattern("replay +running +0 +2 +\\S+ +- +alice( \\(\\S+\\))? +repaired");
        tables().run("UPDATE outbox_operation SET matched = 1000000");
        assertThat(output("operations")).containsPattern("replay +running +0 +at least 1,000,000 +");
        assertThat(json("operations", "--json")).contains("\"matched\":1000000,\"atLeast\":[\"matched\"],");
        String operation = started.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1").strip();
        assertThat(output("cancel", operation, "--reason", "wrong handler")).contains("It changes nothing more.");
        assertThat(run("cancel", operation)).isEqualTo(ExitCode.FOUND);
        assertThat(json("operations", operation, "--json")).contains("\"state\":\"cancelled\"");
        assertThat(run("operations", "018f3c1e-7b1a-7000-8000-00000000abcd")).isEqualTo(ExitCode.FOUND);
        assertThat(tables().count("dead")).isEqualTo(2);
    }

    @Test
    default void the_name_of_one_operator_does_not_control_the_terminal_of_the_next() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        output("discard", "--all", "--yes", "--background", "--by", "bob\u009b2J\u202e");
        newTerminal();

        assertThat(run("discard", "--all", "--yes", "--background")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().errors()).contains("that bob 2J ", "has started").doesNotContain("\u009b", "\u202e");
        assertThat(tables().texts("SELECT started_by FROM outbox_operation").get(0))
                .startsWith("bob 2J ");
    }

    @Test
    default void the_preview_of_a_program_has_all_that_a_person_sees() throws SQLException {
        tables().blocked("order.placed", "1", "mail", "down");
        UUID behind = tables().dead("order.placed", "2", "mail", "refused");

        for (String command : List.of("replay", "discard")) {
            newTerminal();
            assertThat(run(command, "--all", "--json")).isEqualTo(ExitCode.UNCONFIRMED);
            JsonObject preview = OperatorJson.object(terminal().output());
            assertThat(preview.getInt("behindNewer")).as(command).isOne();
            assertThat(preview.getJsonArray("newest").getValuesAs(OperatorJson::deadLetter))
                    .as(command)
                    .hasSize(2)
                    .first()
                    .satisfies(letter -> assertThat(letter.messageId()).isEqualTo(behind));
            newTerminal();
            run(command, "--all");
            for (JsonString sentence : preview.getJsonArray("consequences").getValuesAs(JsonString.class)) {
                assertThat(terminal().output()).as(command).contains(sentence.getString());
            }
            assertThat(preview.getJsonArray("consequences")).as(command).hasSize(2);
        }
        assertThat(tables().count("dead")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"discard", "replay --allow-reordering", "retry --background"})
    default void since_the_beginning_of_time_is_no_condition(String command) throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().waitingLong("order.placed", "2", "mail");
        Map<String, Integer> before = tables().counts();

        for (String since : List.of("1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "30000d")) {
            newTerminal();
            assertThat(run((command + " --yes --since " + since).split(" ")))
                    .as(since)
                    .isEqualTo(ExitCode.USAGE);
            assertThat(terminal().errors()).contains("--all");
        }
        assertThat(tables().counts()).isEqualTo(before);
        newTerminal();
        assertThat(run((command + " --yes --all --since 1970-01-01T00:00:00Z").split(" ")))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--all", "--all --background"})
    default void what_dies_while_the_preview_is_read_is_not_discarded(String options) throws SQLException {
        tables().dead("order.placed", "1", "mail", "seen");
        terminal().answering("discard").onQuestion(() -> diesNow("unseen"));

        runAndLetNodesWork("discard " + options);
        assertThat(tables().texts("SELECT error FROM outbox_dead")).containsExactly("unseen");
    }

    private void runAndLetNodesWork(String command) throws SQLException {
        assertThat(run(command.split(" "))).as(terminal().errors()).isZero();
        try (OutboxOperations nodes = OutboxOperations.open(source(), "outbox_");
                Connections connections = new Connections(source(), dialect(), 1)) {
            nodes.bulkRunner(connections, discarded -> {}).work();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--all", "--all --background"})
    default void a_replay_allows_no_reordering_that_its_preview_did_not_show(String options) throws SQLException {
        tables().blocked("order.placed", "1", "mail", "seen");
        terminal().answering("replay").onQuestion(() -> {
            try {
                tables().dead("order.placed", "2", "mail", "unseen");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });

        runAndLetNodesWork("replay " + options);
        assertThat(tables().texts("SELECT error FROM outbox_dead")).containsExactly("unseen");
        assertThat(tables().texts("SELECT accept_order FROM outbox_operation"))
                .hasSize(options.endsWith("--background") ? 1 : 0)
                .allMatch("0"::equals);
    }

    @Test
    default void a_background_replay_allows_reordering_only_if_it_was_asked_for() throws SQLException {
        tables().blocked("order.placed", "1", "mail", "down");
        output("replay", "--all", "--yes", "--background");
        assertThat(tables().texts("SELECT accept_order FROM outbox_operation")).containsExactly("0");
        tables().dead("order.placed", "2", "mail", "down");
        newTerminal().answering("replay");
        assertThat(run("replay", "--all", "--background")).isEqualTo(ExitCode.FOUND);
        String running =
                tables().ids("SELECT id AS found FROM outbox_operation").get(0).toString();
        assertThat(terminal().errors()).contains(running, "has not ended", "nothing was started");
        output("cancel", running);
        newTerminal().answering("replay");
        assertThat(run("replay", "--all", "--background")).isZero();
        assertThat(tables().texts("SELECT accept_order FROM outbox_operation")).containsExactlyInAnyOrder("0", "1");
    }

    private void diesNow(String error) {
        try {
            tables().dead("order.placed", "2", "mail", error);
            long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            tables().run("UPDATE outbox_dead SET died_at = ? WHERE error = ?", now, error);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
