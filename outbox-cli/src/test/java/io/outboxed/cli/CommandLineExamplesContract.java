package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands that the documentation shows, typed into a shell: they do and print what it says. Those that ask a
 * question, or are repeated until they are interrupted, run in this process, whose terminal answers and interrupts.
 */
abstract class CommandLineExamplesContract {
    private static final Pattern ELLIPSIS = Pattern.compile("[0-9a-f]{8}-…");

    @TempDir
    Path directory;

    private ExampleTables tables;

    abstract DatabaseServer database();

    final RealDatabase server() {
        return database().running();
    }

    final Dialect dialect() {
        return database().dialect();
    }

    /** What the page shows of this database where it prints something else than PostgreSQL; by command. */
    abstract Map<String, String> differences() throws IOException;

    @BeforeEach
    void fillTables() throws SQLException {
        tables = new ExampleTables(
                Tables.empty(
                        () -> DriverManager.getConnection(server().url(), server().user(), server().password()),
                        dialect()),
                dialect());
        tables.ofAShop();
    }

    /** Examples change them: an index is missing, and there are partitions. */
    @AfterEach
    void dropTables() throws SQLException {
        tables.drop();
    }

    @Test
    void each_example_of_the_command_line_prints_what_the_page_shows() throws Exception {
        ExampleText page = ExampleText.ofThePage();
        ExampleText now = ExampleText.of(server());
        Map<String, String> examples = examples(0);
        assertThat(examples.keySet()).containsAll(differences().keySet());
        examples.putAll(differences());
        SoftAssertions all = new SoftAssertions();
        for (Map.Entry<String, String> each : examples.entrySet()) {
            tables.prepareFor(each.getKey());
            all.assertThat(now.comparable(type(each.getKey()).text()))
                    .as(each.getKey())
                    .isEqualTo(page.comparable(each.getValue()));
        }
        all.assertAll();
    }

    @Test
    void a_bulk_operation_is_started_seen_and_cancelled_as_the_page_of_dead_letters_shows() throws Exception {
        List<String> commands = DocumentedCommands.block("dead-letters.md", "--background");
        assertThat(commands).hasSize(3);

        String started = succeed(commands.get(0));
        assertThat(tables.texts("SELECT CONCAT(state, ' ', handler, ' ', per_second, ' ', accept_order, ' ', matched,"
                        + " ' ', reason) FROM outbox_operation"))
                .containsExactly("0 order-mail 20 1 3 mail server is back");
        String id = tables.operation().toString();
        assertThat(started).contains(id);
        assertThat(succeed(commands.get(1))).contains(id);
        assertThat(commands.get(2)).containsPattern(ELLIPSIS);
        succeed(ELLIPSIS.matcher(commands.get(2)).replaceFirst(id));
        assertThat(tables.texts("SELECT state FROM outbox_operation")).containsExactly("2");
        assertThat(tables.texts("SELECT reason FROM outbox_audit ORDER BY changed_at"))
                .containsExactly("mail server is back", "wrong handler");
    }

    @Test
    void a_retry_of_many_is_started_as_the_page_of_dead_letters_shows() throws Exception {
        tables.waitForLong("order-mail");

        List<String> commands = DocumentedCommands.block("dead-letters.md", "outbox retry");
        assertThat(commands).hasSize(1);

        assertThat(succeed(commands.get(0))).contains("The nodes retry 1 delivery.");
        assertThat(tables.texts("SELECT CONCAT(kind, ' ', handler, ' ', matched, ' ', reason) FROM outbox_operation"))
                .containsExactly("2 order-mail 1 mail server is back");
    }

    @Test
    void a_handler_is_paused_and_resumed_as_the_page_of_dead_letters_shows() throws Exception {
        List<String> commands = DocumentedCommands.block("dead-letters.md", "outbox pause");
        assertThat(commands).hasSize(2);

        succeed(commands.get(0));
        assertThat(tables.texts("SELECT CONCAT(kind, ' ', name, ' ', reason) FROM outbox_pause"))
                .containsExactly("2 order-mail mail server is being replaced");
        succeed(commands.get(1));
        assertThat(tables.texts("SELECT name FROM outbox_pause")).isEmpty();
        assertThat(tables.texts("SELECT reason FROM outbox_audit ORDER BY changed_at"))
                .containsExactly("mail server is being replaced", "mail server is back");
    }

    @Test
    void a_handler_is_removed_as_the_page_of_operations_shows() throws Exception {
        tables.activate("Warehouse.ship");
        List<String> lists = DocumentedCommands.inText("operations.md", "outbox list");
        List<String> drops = DocumentedCommands.block("operations.md", "outbox drop-deliveries");
        assertThat(lists).hasSize(1);
        assertThat(drops).hasSize(1);
        ScriptedTerminal terminal = new ScriptedTerminal().answering("drop");

        assertThat(succeed(lists.get(0))).contains("0199aa10-7c00-7000-8000-000000000009", "Warehouse.ship");
        assertThat(run(terminal, drops.get(0))).as(terminal.errors()).isZero();
        assertThat(terminal.output()).contains("It will be retired for: order.placed", "1 delivery was dropped.");
        assertThat(tables.texts("SELECT handler FROM outbox_handler WHERE retired = 1"))
                .containsExactly("Warehouse.ship");
        assertThat(tables.texts("SELECT handler FROM outbox_delivery")).isEmpty();
        assertThat(tables.texts("SELECT action FROM outbox_audit ORDER BY changed_at"))
                .containsExactly("retire", "drop-deliveries");
        assertThat(succeed(lists.get(0))).doesNotContain("0199aa10");
    }

    @Test
    void a_handler_is_retired_for_lost_types_as_the_page_of_operations_shows() throws Exception {
        tables.narrowToOrders("Audit.write");
        List<String> drops = DocumentedCommands.block("operations.md", "--type");
        assertThat(drops).hasSize(1);
        ScriptedTerminal terminal = new ScriptedTerminal().answering("drop");

        // the shell takes the quotes away
        assertThat(run(terminal, drops.get(0).replace("\"", "")))
                .as(terminal.errors())
                .isZero();
        assertThat(tables.texts("SELECT type FROM outbox_handler WHERE handler = 'Audit.write' AND retired = 0"))
                .containsExactly("order.placed");
    }

    @Test
    void partitions_are_maintained_every_hour_or_once_as_the_page_of_tables_shows() throws Exception {
        List<String> commands = DocumentedCommands.inText("tables.md", "outbox partitions --period");
        assertThat(commands).hasSize(2);
        String everyHour = commands.get(0);
        assertThat(everyHour).contains("--every 1h");
        tables.prepareFor(everyHour);
        List<Duration> pauses = new ArrayList<>();
        ScriptedTerminal terminal = new ScriptedTerminal().timedPauses(pauses).onPause(count -> false);

        assertThat(succeed(commands.get(1))).as("to be converted").contains("PARTITION");
        assertThat(tables.texts("SELECT action FROM outbox_audit")).isEmpty();
        assertThat(run(terminal, everyHour)).as(terminal.errors()).isZero();
        assertThat(pauses).containsExactly(Duration.ofHours(1));
        assertThat(terminal.output()).contains("DROP", "statements were executed.");
        assertThat(tables.texts("SELECT action FROM outbox_audit")).containsExactly("partitions");
        assertThat(succeed(everyHour.replace("--every 1h", "--once"))).contains("There is nothing to change.");
    }

    /** No block of these pages is left out. */
    @Test
    void the_other_pages_that_these_tests_cover_have_no_further_commands() throws IOException {
        assertThat(blocksOfCommands("dead-letters.md")).hasSize(3);
        assertThat(blocksOfCommands("operations.md")).hasSize(2);
        assertThat(blocksOfCommands("tables.md")).isEmpty();
    }

    private static List<String> blocksOfCommands(String page) throws IOException {
        return DocumentedCommands.blocks(page).stream()
                .filter(block -> block.contains("\noutbox "))
                .toList();
    }

    /** In this process. */
    private int run(ScriptedTerminal terminal, String command) {
        assertThat(command).startsWith("outbox ");
        terminal.with("OUTBOX_URL", server().url())
                .with("OUTBOX_USER", server().user())
                .with("OUTBOX_PASSWORD", server().password());
        return Main.run(terminal, command.substring("outbox ".length()).split(" "));
    }

    private String succeed(String command) throws Exception {
        Typed typed = type(command);
        assertThat(typed.exit()).as(command + "\n" + typed.text()).isZero();
        return typed.text();
    }

    private record Typed(int exit, String text) {}

    /** With the alias that the page begins with, and a driver; results and errors as a terminal shows them. */
    private Typed type(String command) throws Exception {
        Path screen = directory.resolve("screen");
        String alias = "outbox() { '" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Duser.name=alice -jar '"
                + OutboxProgram.JAR + "' \"$@\"; }";
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", alias + "\n" + command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(screen.toFile())
                .redirectErrorStream(true);
        shell.environment().put("TZ", "UTC");
        shell.environment().put("OUTBOX_URL", server().url());
        shell.environment().put("OUTBOX_USER", server().user());
        shell.environment().put("OUTBOX_PASSWORD", server().password());
        shell.environment()
                .put("OUTBOX_DRIVER_PATH", OutboxProgram.driverFor(server()).toString());
        int exit = shell.start().waitFor();
        return new Typed(exit, Files.readString(screen));
    }

    /** By command, in their order; the first block has an example of each. */
    static Map<String, String> examples(int block) throws IOException {
        String page = DocumentedCommands.text("command-line.md");
        String text = page.substring(page.indexOf("\n## Examples\n")).split("\n```\n")[2 * block + 1];
        Map<String, String> examples = new LinkedHashMap<>();
        for (String each : ("\n" + text).split("\n\\$ ")) {
            if (!each.isEmpty()) {
                String[] parts = each.split("\n", 2);
                examples.put(parts[0], parts[1].strip());
            }
        }
        return examples;
    }
}
