package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which arguments are refused: nothing is changed then. */
interface WrongArgumentsContract extends CommandRunner {

    List<List<String>> WRONG = List.of(
            List.of(),
            List.of("frobnicate"),
            List.of("status", "--watch", "0"),
            List.of("status", "--watch", "3601"),
            List.of("status", "--watch", "soon"),
            List.of("status", "--url", "jdbc:mysql://shop:secret@db/shop"),
            List.of("status", "--url", "jdbc:mysql://shop:sec/ret@db/shop"),
            List.of("status", "--url", "jdbc:postgresql://db/shop?password=secret"),
            List.of("status", "--table-prefix", "x; DROP TABLE y"),
            List.of("status", "--driver-path", "/no/such/place"),
            List.of("status", "--driver-path", ""),
            List.of("list", "--limit", "0"),
            List.of("list", "--limit", "1001"),
            List.of("list", "--state", "lost"),
            List.of("list", "--after", "x"),
            List.of("list", "--state", "ready", "--handler", "mail"),
            List.of("list", "--state", "waiting", "--since", "1h", "--until", "2h"),
            List.of("list", "--state", "parked", "--error-kind", "down"),
            List.of("list", "--since", "yesterday"),
            List.of("list", "--state", "waiting", "--blocking"),
            List.of("list", "--state", "ready", "0199aa10-7c00-7000-8000-000000000001"),
            List.of("failures", "17"),
            List.of("failures", "--handler", "mail "),
            List.of("failures", "--since", "yesterday"),
            List.of("failures", "--since", "1h", "--until", "2h"),
            List.of("failures", "--limit", "10"),
            List.of("handlers", "now"),
            List.of("audit", "--limit", "0"),
            List.of("audit", "--limit", "1001"),
            List.of("audit", "--after", "forged"),
            List.of("schema", "upgrade", "--from", "0", "--database", "mysql", "--url", "jdbc:h2:mem:other"),
            List.of("retry", "0199aa10-7c00-7000-8000-000000000001"),
            List.of("retry", "0199aa10-7c00-7000-8000-000000000001", "--handler", "mail", "--by", " "),
            List.of("show"),
            List.of("list", "--since", "1h", "--until", "2h"),
            List.of("list", "--since", "2026-11-22T00:00:00Z", "--until", "2026-11-22T00:00:00Z"),
            List.of("show", "17"),
            List.of("show", "1-1-1-1-1"),
            List.of("replay", "--yes"),
            List.of("replay", "--all", "--handler", "mail", "--yes"),
            List.of("replay", "--until", "1h", "--yes", "--allow-reordering"),
            List.of("replay", "17", "--yes"),
            List.of("replay", "1-1-1-1-1", "--yes"),
            List.of("replay", "--since", "1h", "--until", "2h", "--yes", "--allow-reordering"),
            List.of("replay", "--all", "--yes", "--limit", "0"),
            List.of("replay", "--all", "--yes", "--allow-reordering", "--rate", "0"),
            List.of("replay", "--all", "--yes", "--allow-reordering", "--by", " "),
            List.of("discard", "--yes"),
            List.of("discard", "--until", "1h", "--yes"),
            List.of("discard", "--all", "--yes", "--rate", "-1"),
            List.of("discard", "--all", "--yes", "--limit", "0"),
            List.of("discard", "--all", "--yes", "--by", " "),
            List.of("discard", "--since", "1h", "--until", "2h", "--yes"),
            List.of("discard", "--all", "--yes", "--unknown"),
            List.of("drop-deliveries", "--yes"),
            List.of("drop-deliveries", "--handler", "mail", "--limit", "many"),
            List.of("drop-deliveries", "--handler", "mail", "--retire", "--limit", "0", "--yes"),
            List.of("drop-deliveries", "--handler", "mail", "--retire", "--by", " ", "--yes"),
            List.of("drop-deliveries", "--handler", "mail ", "--retire", "--yes"),
            List.of("drop-deliveries", "--handler", "mail", "--type", "*", "--yes"),
            List.of("drop-deliveries", "--handler", "mail", "--retire", "--rate", "0", "--yes"),
            List.of("schema"),
            List.of("schema", "print"),
            List.of("schema", "print", "--database", "oracle"),
            List.of("schema", "print", "--database", "mysql", "--table-prefix", "x;"),
            List.of("schema", "verify", "--yes"),
            List.of("schema", "upgrade", "--from", "7", "--database", "mysql"),
            List.of("schema", "upgrade", "--from", "0", "--database", "mysql", "--for", "ant"),
            List.of("check", "now"),
            List.of("generate-completion", "now"));

    List<List<String>> WRONG_MAINTENANCE = List.of(
            List.of("pause"),
            List.of("pause", "--all", "--handler", "mail"),
            List.of("pause", "--type", "*"),
            List.of("pause", "--type", "order.*"),
            List.of("pause", "--handler", "orders/mail"),
            List.of("pause", "--handler", "mail\nforged"),
            List.of("pause", "--all", "--by", " "),
            List.of("pause", "--all", "--reason", "x".repeat(501)),
            List.of("resume"),
            List.of("resume", "--all", "--handler", "mail"),
            List.of("resume", "--type", ""),
            List.of("resume", "--type", "order.placed", "--by", " "),
            List.of("replay", "--all", "--yes", "--allow-reordering", "--background", "--limit", "1"),
            List.of("replay", "--all", "--yes", "--allow-reordering", "--background", "--rate", "0"),
            List.of("discard", "--all", "--yes", "--background", "--rate", "0"),
            List.of("discard", "--all", "--yes", "--background", "--rate", "1001"),
            List.of("operations", "7"),
            List.of("operations", "1-1-1-1-1"),
            List.of("cancel"),
            List.of("cancel", "1-1-1-1-1"),
            List.of("cancel", "0199aa10-7c00-7000-8000-000000000001", "--by", " "),
            List.of("cleanup", "--yes"),
            List.of("cleanup", "--older-than", "90", "--yes"),
            List.of("cleanup", "--older-than", "59s", "--yes"),
            List.of("cleanup", "--older-than", "3651d", "--yes"),
            List.of("cleanup", "--older-than", "90d", "--batch-size", "0", "--yes"),
            List.of("cleanup", "--older-than", "90d", "--batch-size", "10001", "--yes"),
            List.of("cleanup", "--older-than", "90d", "--dry-run", "--every", "1h"),
            List.of("cleanup", "--older-than", "90d", "--once", "--every", "1h", "--yes"),
            List.of("cleanup", "--older-than", "90d", "--every", "0s", "--yes"),
            List.of("cleanup", "--older-than", "90d", "--every", "32d", "--yes"),
            List.of("cleanup", "--older-than", "90d", "--yes", "--by", " "),
            List.of("partitions", "--apply", "--yes"),
            List.of("partitions", "--period", "week"),
            List.of("partitions", "--period", "day", "--yes"),
            List.of("partitions", "--period", "day", "--look-ahead", "59m"),
            List.of("partitions", "--period", "day", "--look-ahead", "366d"),
            List.of("partitions", "--period", "hour", "--look-ahead", "365d"),
            List.of("partitions", "--period", "day", "--every", "7d", "--look-ahead", "6d", "--apply", "--yes"),
            List.of("partitions", "--period", "day", "--every", "0s", "--apply", "--yes"),
            List.of("partitions", "--period", "day", "--every", "31d", "--apply", "--yes"),
            List.of("partitions", "--period", "day", "--retention", "59s"),
            List.of("partitions", "--period", "day", "--retention", "3651d"),
            List.of("partitions", "--period", "day", "--every", "1h"),
            List.of("partitions", "--period", "day", "--every", "1h", "--apply", "--convert"));

    /** Of each command that has an audit, without its reason. */
    List<List<String>> CHANGES = List.of(
            List.of("retry", "0199aa10-7c00-7000-8000-000000000001", "--handler", "mail"),
            List.of("retry", "--all", "--background", "--yes"),
            List.of("replay", "--all", "--yes", "--allow-reordering"),
            List.of("discard", "--all", "--yes"),
            List.of("discard", "--all", "--yes", "--background"),
            List.of("drop-deliveries", "--handler", "mail", "--retire", "--yes"),
            List.of("cancel", "0199aa10-7c00-7000-8000-000000000001"),
            List.of("pause", "--all"),
            List.of("resume", "--type", "order.placed"),
            List.of("cleanup", "--older-than", "90d", "--yes"),
            List.of("partitions", "--period", "day", "--apply", "--yes"));

    @Test
    default void wrong_arguments_of_every_command_change_nothing() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().waiting("order.placed", "2", "mail");
        Map<String, Integer> before = tables().counts();

        WRONG.forEach(this::refused);
        for (String command : Commands.names()) {
            assertThat(Stream.of(WRONG, WRONG_MAINTENANCE).flatMap(List::stream))
                    .as("of " + command)
                    .anyMatch(arguments -> String.join(" ", arguments).startsWith(command));
            refused(List.of((command + " --no-such-option").split(" ")));
        }
        assertThat(tables().counts()).isEqualTo(before);
    }

    @Test
    default void wrong_arguments_of_the_maintenance_change_nothing() throws SQLException {
        tables().aged();
        Map<String, Integer> before = tables().counts();
        List<String> partitions = partitions();

        WRONG_MAINTENANCE.forEach(this::refused);
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(partitions()).isEqualTo(partitions);
    }

    @Test
    default void a_reason_that_is_too_long_for_the_audit_keeps_every_command_from_changing_anything()
            throws SQLException {
        tables().aged();
        tables().waitingLong("order.placed", "4", "mail");
        output("pause", "--type", "order.placed");
        Map<String, Integer> before = tables().counts();
        List<String> partitions = partitions();

        for (List<String> change : CHANGES) {
            refused(Stream.concat(change.stream(), Stream.of("--reason", "x".repeat(501)))
                    .toList());
            assertThat(terminal().errors()).as("%s", change).contains("expected at most 500");
        }
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(partitions()).isEqualTo(partitions);
    }

    /** Of the history. */
    private List<String> partitions() throws SQLException {
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                tables().texts("SELECT partition_name FROM information_schema.partitions"
                        + " WHERE table_schema = DATABASE() AND table_name = 'outbox_history' ORDER BY 1");
            case POSTGRESQL ->
                tables().texts("SELECT CAST(CAST(inhrelid AS regclass) AS text) FROM pg_inherits"
                        + " WHERE inhparent = CAST('outbox_history' AS regclass) ORDER BY 1");
            case H2 -> List.of();
        };
    }

    private void refused(List<String> arguments) {
        String line = String.join(" ", arguments);
        newTerminal();
        assertThat(run(arguments.toArray(String[]::new))).as(line).isEqualTo(ExitCode.USAGE);
        assertThat(terminal().errors())
                .as(line)
                .startsWith("outbox: ")
                .contains("Nothing was changed.")
                .doesNotContain("Exception");
        assertThat(terminal().output()).as(line).isEmpty();
    }

    @Test
    default void a_pause_of_the_type_of_handlers_of_any_type_names_what_can_be_paused() {
        assertThat(run("pause", "--type", "*")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal().errors()).contains("no event has the type \"*\"", "--handler", "--all");
    }

    /** Earlier versions have stored such pauses. */
    @Test
    default void a_pause_of_a_name_that_nothing_can_have_is_resumed() throws SQLException {
        tables().run(
                        "INSERT INTO outbox_pause (kind, name, paused_at, paused_by, reason) VALUES (1, '*', 1, 'ada', '')");

        assertThat(output("status")).contains("type *");
        assertThat(output("resume", "--type", "*")).contains("Resumed: type *.");
        assertThat(tables().count("pause")).isZero();
    }

    /** An empty text is a part of every error. */
    @Test
    default void an_empty_text_selects_nothing_in_any_command() throws SQLException {
        String id = tables().dead("order.placed", "1", "mail", "down").toString();
        tables().waiting("order.placed", "2", "mail");
        Map<String, Integer> before = tables().counts();
        List<List<String>> commands = new ArrayList<>(List.of(
                List.of("retry", id, "--handler", ""),
                List.of("drop-deliveries", "--handler", "", "--retire", "--yes"),
                List.of("drop-deliveries", "--handler", "mail", "--retire", "--type", "", "--yes"),
                List.of("pause", "--handler", ""),
                List.of("resume", "--type", ""),
                List.of("list", "--error-kind", ""),
                List.of("failures", "--error-kind", ""),
                List.of("list", "--state", "waiting", "--error-kind", ""),
                List.of("discard", "--error-kind", "", "--yes")));
        for (String condition :
                List.of("--error", "--handler", "--type", "--aggregate-type", "--aggregate-id", "--since", "--until")) {
            commands.add(List.of("list", condition, ""));
            commands.add(List.of("failures", condition, ""));
            commands.add(List.of("list", "--state", "waiting", condition, ""));
            commands.add(List.of("replay", condition, "", "--yes", "--allow-reordering"));
            commands.add(List.of("discard", condition, "", "--yes"));
            commands.add(List.of("discard", condition, "", "--yes", "--background"));
        }
        for (List<String> arguments : commands) {
            newTerminal();
            assertThat(run(arguments.toArray(String[]::new)))
                    .as(arguments.toString())
                    .isEqualTo(ExitCode.USAGE);
            assertThat(terminal().errors())
                    .as(arguments.toString())
                    .startsWith("outbox: ")
                    .contains("Nothing was changed.");
        }
        assertThat(tables().counts()).isEqualTo(before);
    }

    @Test
    default void a_command_without_a_database_says_how_to_name_one() {
        newTerminal();
        assertThat(Main.run(terminal(), "status")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal().errors()).contains("no database is named", "--url", "OUTBOX_URL");
    }
}
