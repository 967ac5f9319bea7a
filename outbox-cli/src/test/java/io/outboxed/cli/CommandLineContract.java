package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.h2.util.json.JSONStringSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every command on a real database. */
abstract class CommandLineContract {
    Tables tables;
    ScriptedTerminal terminal = new ScriptedTerminal();

    abstract String url();

    /** Null for none. */
    abstract String user();

    abstract String password();

    abstract Dialect dialect();

    abstract ConnectionSource source();

    @BeforeEach
    void openTables() throws SQLException {
        tables = Tables.empty(source(), dialect());
    }

    @AfterEach
    void closeTables() throws SQLException {
        tables.close();
    }

    int run(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        terminal.with("OUTBOX_URL", url());
        if (user() != null) {
            terminal.with("OUTBOX_USER", user()).with("OUTBOX_PASSWORD", password());
        }
        return Main.run(terminal, all.toArray(String[]::new));
    }

    /** The output of one successful call. */
    String output(String... arguments) {
        terminal = new ScriptedTerminal();
        int exit = run(arguments);
        assertThat(exit).as(terminal.errors()).isZero();
        return terminal.output();
    }

    String json(String... arguments) {
        String text = output(arguments);
        assertThat(text.lines()).hasSize(1);
        assertThat(JSONStringSource.normalize(text)).as("valid JSON").isNotNull();
        return text;
    }

    // ---- status ----

    @Test
    void status_counts_what_is_stored_and_shows_who_relays_it() throws SQLException {
        tables.ready("order.placed", "1");
        tables.ready("order.placed", "2");
        tables.waiting("order.placed", "3", "mail");
        tables.dead("order.placed", "4", "mail", "down");
        tables.blocked("order.placed", "5", "mail", "down");
        tables.node("n-1", "shop-1", 40);

        assertThat(output("status"))
                .containsPattern("ready +2\n")
                .containsPattern("waiting +1\n")
                .containsPattern("blocked +1\n")
                .containsPattern("dead +2\n")
                .containsPattern("blocked aggregates +1\n")
                .contains("shards: 64, of which 24 have no live node")
                .containsPattern("shop-1 +n-1 +40 +[\\d,.]+ s ago");
        assertThat(json("status", "--json"))
                .contains("\"ready\":2,", "\"dead\":2,", "\"blockedAggregates\":1,", "\"unownedShards\":24,")
                .contains("\"label\":\"shop-1\"");
    }

    @Test
    void watch_draws_the_status_again_until_it_is_interrupted() {
        terminal.onPause(count -> count < 3);

        assertThat(run("status", "--watch")).isZero();
        assertThat(terminal.output().split("\u001b\\[H\u001b\\[J", -1)).hasSize(4);
        terminal = new ScriptedTerminal().onPause(count -> count < 2);
        assertThat(run("status", "--watch=1", "--json")).isZero();
        assertThat(terminal.output().lines()).hasSize(2);
    }

    // ---- list ----

    @Test
    void dead_letters_are_listed_page_by_page() throws SQLException {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(0, tables.dead("order.placed", "" + i, "mail", "down"));
        }
        List<String> found = new ArrayList<>();
        String after = null;
        do {
            String page =
                    after == null ? output("list", "--limit", "2") : output("list", "--limit", "2", "--after", after);
            page.lines().filter(line -> line.contains("order.placed")).forEach(found::add);
            after = page.contains("--after ") ? page.replaceFirst("(?s).*--after (\\S+)\\s*", "$1") : null;
        } while (after != null);

        assertThat(found).hasSize(5);
        for (int i = 0; i < 5; i++) {
            assertThat(found.get(i)).startsWith(ids.get(i).toString()).contains("mail", "down");
        }
    }

    @Test
    void dead_letters_are_selected_by_handler_type_aggregate_error_and_time() throws SQLException {
        UUID mail = tables.dead("order.placed", "1", "mail", "connection refused: mail-1");
        UUID ship = tables.dead("order.shipped", "2", "ship", "no such item");

        assertThat(json("list", "--json", "--handler", "mail"))
                .contains(mail.toString())
                .doesNotContain(ship.toString());
        assertThat(json("list", "--json", "--type", "order.shipped"))
                .contains(ship.toString())
                .doesNotContain(mail.toString());
        assertThat(json("list", "--json", "--aggregate-type", "order", "--aggregate-id", "2"))
                .contains(ship.toString())
                .doesNotContain(mail.toString());
        assertThat(json("list", "--json", "--error", "refused: m"))
                .contains(mail.toString())
                .doesNotContain(ship.toString());
        assertThat(json("list", "--json", "--error", "REFUSED")).contains("\"found\":[]");
        assertThat(json("list", "--json", "--until", "1970-01-01T00:16:42Z"))
                .contains(mail.toString())
                .doesNotContain(ship.toString());
        assertThat(json("list", "--json", "--since", "2h")).contains("\"found\":[]");
        assertThat(json("list", "--json", "--since", "1970-01-01T01:00:00+01:00"))
                .contains(mail.toString(), ship.toString());
    }

    @Test
    void what_waits_is_listed_by_state() throws SQLException {
        UUID ready = tables.ready("order.placed", "1");
        UUID first = tables.waiting("order.placed", "2", "mail");
        UUID second = tables.waiting("order.shipped", "3", "mail");
        UUID blocked = tables.blocked("order.placed", "4", "ship", "down");

        assertThat(json("list", "--json", "--state", "ready"))
                .contains(ready.toString())
                .doesNotContain(first.toString());
        assertThat(json("list", "--json", "--state", "blocked"))
                .contains(blocked.toString())
                .doesNotContain(first.toString());
        String page = output("list", "--state", "waiting", "--limit", "1");
        assertThat(page).contains(first.toString(), "unknown to the node").doesNotContain(second.toString());
        String after = page.replaceFirst("(?s).*--after (\\S+)\\s*", "$1");
        assertThat(output("list", "--state", "waiting", "--limit", "1", "--after", after))
                .contains(second.toString())
                .doesNotContain("--after");
        assertThat(json("list", "--json", "--state", "waiting", "--type", "order.shipped", "--error", "unknown"))
                .contains(second.toString())
                .doesNotContain(first.toString());
        assertThat(json("list", "--json", "--state", "parked")).contains("\"found\":[]", "\"next\":null");
    }

    // ---- show ----

    @Test
    void an_event_is_shown_without_its_content() throws SQLException {
        UUID id = tables.blocked("order.placed", "4", "ship", "down\u001b[2J");

        String text = output("show", id.toString());
        assertThat(text)
                .contains("order.placed", "split", "blocked", "ship", "down", "order 4")
                .doesNotContain("\u001b");
        assertThat(json("show", "--json", id.toString()))
                .contains("\"state\":\"split\"", "\"state\":\"blocked\"", "\"deadLetters\":[{");
        for (String each : List.of(text, json("show", "--json", id.toString()))) {
            assertThat(each).doesNotContain("card").doesNotContain("token");
        }
    }

    @Test
    void the_content_is_shown_on_request_wherever_it_is() throws SQLException {
        UUID stored = tables.ready("order.placed", "1");
        UUID dead = tables.dead("order.placed", "2", "mail", "down");

        assertThat(output("show", stored.toString(), "--payload")).contains("4711", "abc");
        assertThat(json("show", dead.toString(), "--payload", "--json")).contains("4711", "abc");
    }

    @Test
    void an_event_that_is_not_stored_is_reported() {
        assertThat(run("show", UUID.randomUUID().toString())).isEqualTo(ExitCode.FOUND);
        assertThat(terminal.errors()).contains("Nothing is stored about");
    }

    // ---- replay and discard ----

    @Test
    void a_replay_shows_what_it_does_and_changes_nothing_without_a_confirmation() throws SQLException {
        tables.dead("order.placed", "1", "mail", "down");
        tables.blocked("order.placed", "2", "mail", "down");
        Map<String, Integer> before = tables.counts();

        assertThat(run("replay", "--handler", "mail")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal.output())
                .contains("2 dead letters match. Holding up later events of their aggregate: 1.")
                .contains("ORDER: 1 of them did not hold up their aggregate")
                .contains("Nothing was changed.");
        assertThat(terminal.errors()).contains("--yes");
        terminal = new ScriptedTerminal().answering("yes");
        assertThat(run("replay", "--handler", "mail")).isEqualTo(ExitCode.UNCONFIRMED);
        terminal = new ScriptedTerminal();
        assertThat(run("replay", "--handler", "mail", "--yes")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal.errors()).contains("--accept-order");
        assertThat(tables.counts()).isEqualTo(before);
    }

    @Test
    void a_replay_is_for_one_handler_only() throws SQLException {
        UUID id = tables.dead("order.placed", "1", "mail", "down");
        tables.run("INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, type, payload_size,"
                + " registry_version, attempts, error, died_at, blocking) SELECT message_id, 'ship', handler_group, seq,"
                + " shard, lane, type, 0, 0, 5, 'down', died_at, 0 FROM outbox_dead");

        assertThat(json("replay", id.toString(), "--handler", "mail", "--yes", "--accept-order", "--json"))
                .contains("\"matched\":1", "\"replayed\":1", "\"locked\":0");
        assertThat(tables.texts("SELECT only_handler FROM outbox_message")).containsExactly("mail");
        assertThat(tables.texts("SELECT handler FROM outbox_dead")).containsExactly("ship");
        assertThat(run("replay", id.toString(), "--handler", "mail", "--yes")).isEqualTo(ExitCode.FOUND);
    }

    @Test
    void a_blocked_delivery_is_replayed_in_its_place_and_needs_no_second_acknowledgement() throws SQLException {
        tables.blocked("order.placed", "2", "mail", "down");

        assertThat(output("replay", "--blocking", "--yes")).contains("1 dead letter was replayed.");
        assertThat(tables.texts("SELECT state FROM outbox_delivery")).containsExactly("0");
        assertThat(tables.count("dead")).isZero();
    }

    @Test
    void a_typed_confirmation_replays() throws SQLException {
        tables.dead("order.placed", "1", "mail", "down");
        terminal.answering("replay");

        assertThat(run("replay", "--all")).as(terminal.errors()).isZero();
        assertThat(tables.count("dead")).isZero();
        assertThat(tables.count("message")).isEqualTo(1);
    }

    @Test
    void each_discarded_dead_letter_is_logged() throws SQLException {
        UUID skipped = tables.dead("order.placed", "1", "mail", "down");
        UUID blocked = tables.blocked("order.placed", "2", "mail", "down");
        UUID other = tables.dead("order.placed", "3", "ship", "down");
        try (DiscardLog log = DiscardLog.open()) {
            assertThat(output("discard", "--handler", "mail", "--yes")).contains("2 dead letters were discarded.");
            assertThat(log.lines())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("OUTBOX-0444") && !line.contains("4711"))
                    .anyMatch(line -> line.contains(skipped.toString()))
                    .anyMatch(line -> line.contains(blocked.toString()));
        }
        assertThat(tables.texts("SELECT message_id FROM outbox_dead")).hasSize(1);
        assertThat(output("list")).contains(other.toString());
        assertThat(tables.count("message")).isZero();
        assertThat(tables.count("lane")).isZero();
    }

    @Test
    void a_limit_takes_the_oldest() throws SQLException {
        tables.dead("order.placed", "1", "mail", "first");
        tables.dead("order.placed", "2", "mail", "second");
        tables.dead("order.placed", "3", "mail", "third");

        output("discard", "--all", "--limit", "2", "--yes");
        assertThat(tables.texts("SELECT error FROM outbox_dead")).containsExactly("third");
    }

    @Test
    void an_interrupted_change_leaves_the_rest_and_the_next_one_goes_on() throws SQLException {
        for (int i = 0; i < 6; i++) {
            tables.dead("order.placed", "" + i, "mail", "down");
        }
        terminal.onPause(count -> count < 3);

        assertThat(run("replay", "--all", "--yes", "--accept-order", "--rate", "1"))
                .isEqualTo(ExitCode.INTERRUPTED);
        assertThat(terminal.output()).contains("3 dead letters were replayed.");
        assertThat(tables.count("message")).isEqualTo(3);
        assertThat(tables.count("dead")).isEqualTo(3);
        output("replay", "--all", "--yes", "--accept-order");
        assertThat(tables.count("message")).isEqualTo(6);
        assertThat(tables.count("dead")).isZero();
    }

    // ---- deliveries of a retired handler ----

    @Test
    void deliveries_of_a_retired_handler_are_dropped_and_logged() throws SQLException {
        tables.handler("order.placed", "old", true);
        tables.handler("order.shipped", "old", false);
        UUID dropped = tables.waiting("order.placed", "1", "old");
        tables.waiting("order.shipped", "2", "old");
        tables.waiting("order.placed", "3", "mail");

        assertThat(run("drop-deliveries", "--handler", "old")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(tables.count("delivery")).isEqualTo(3);
        try (DiscardLog log = DiscardLog.open()) {
            assertThat(output("drop-deliveries", "--handler", "old", "--yes")).contains("1 delivery was dropped.");
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("OUTBOX-0445")
                    .contains(dropped.toString());
        }
        assertThat(tables.count("delivery")).isEqualTo(2);
        assertThat(tables.count("message")).isEqualTo(2);
        assertThat(tables.count("lane")).isEqualTo(2);
    }

    @Test
    void a_handler_that_is_in_use_has_to_be_retired_first() throws SQLException {
        tables.handler("order.placed", "old", false);
        for (int i = 0; i < 150; i++) {
            tables.waiting("order.placed", "" + i, "old");
        }
        Map<String, Integer> before = tables.counts();

        assertThat(run("drop-deliveries", "--handler", "old", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(run("drop-deliveries", "--handler", "unheard-of", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(tables.counts()).isEqualTo(before);
        assertThat(json("drop-deliveries", "--handler", "old", "--retire", "--yes", "--json"))
                .contains("\"dropped\":150", "\"locked\":0");
        assertThat(tables.count("delivery")).isZero();
        assertThat(tables.count("message")).isZero();
        assertThat(tables.count("lane")).isZero();
    }

    @Test
    void a_handler_that_is_in_use_for_any_type_keeps_what_it_was_once_retired_for() throws SQLException {
        tables.handler("order.placed", "old", true);
        tables.handler("*", "old", false);
        tables.waiting("order.placed", "1", "old");

        assertThat(run("drop-deliveries", "--handler", "old", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal.errors()).contains("handler old is not retired for *");
        assertThat(tables.count("delivery")).isEqualTo(1);
        assertThat(json("drop-deliveries", "--handler", "old", "--retire", "--yes", "--json"))
                .contains("\"dropped\":1");
        assertThat(tables.count("message")).isZero();
    }

    @Test
    void what_waits_for_a_handler_that_is_registered_no_more_is_dropped() throws SQLException {
        tables.waiting("order.placed", "1", "gone");

        assertThat(output("drop-deliveries", "--handler", "gone", "--yes"))
                .contains("It is not registered for any type.", "1 delivery was dropped.");
        assertThat(tables.count("message")).isZero();
        tables.waiting("order.placed", "2", "?");
        assertThat(run("drop-deliveries", "--handler", "?", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(tables.count("message")).isEqualTo(1);
    }

    @Test
    void a_message_whose_other_handlers_wait_is_kept() throws SQLException {
        tables.handler("order.placed", "old", true);
        UUID id = tables.waiting("order.placed", "1", "old");
        tables.run(
                "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state)"
                        + " SELECT message_id, 'mail', 'mail', seq, lane, shard, 0 FROM outbox_delivery WHERE message_id = ?",
                id);

        output("drop-deliveries", "--handler", "old", "--yes");
        assertThat(tables.texts("SELECT handler FROM outbox_delivery")).containsExactly("mail");
        assertThat(tables.count("message")).isEqualTo(1);
    }

    // ---- schema and check ----

    @Test
    void the_schema_is_verified_and_the_statements_of_an_upgrade_fix_it() throws SQLException {
        assertThat(output("schema", "verify")).contains("The tables match the schema.");
        assertThat(output("schema", "upgrade")).isEqualToIgnoringNewLines("-- nothing to do\n");
        tables.run("ALTER TABLE outbox_dead DROP COLUMN error");

        assertThat(run("schema", "verify", "--json")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal.output()).contains("column outbox_dead.error is missing");
        assertThat(run("check")).isEqualTo(ExitCode.FOUND);
        String upgrade = output("schema", "upgrade");
        for (String statement : upgrade.split(";\\s*\n")) {
            tables.run(statement);
        }
        assertThat(output("schema", "verify")).contains("The tables match the schema.");
    }

    @Test
    void the_printed_schema_is_that_of_the_database() {
        assertThat(output("schema", "print", "--database", dialect().name().toLowerCase(Locale.ROOT)))
                .contains("CREATE TABLE IF NOT EXISTS outbox_message");
        assertThat(output("schema", "print", "--database", "postgresql", "--table-prefix", "shop_"))
                .contains("CREATE TABLE IF NOT EXISTS shop_message")
                .doesNotContain("outbox_message");
    }

    @Test
    void a_healthy_database_passes_the_check() {
        assertThat(output("check"))
                .contains("ok       schema: ", "ok       numbering: ", "ok       row locks: ", "ok       clock: ")
                .doesNotContain("problem ");
        assertThat(json("check", "--json")).contains("\"subject\":\"right to replay\",\"finding\":\"granted\"");
    }

    // ---- wrong arguments ----

    @Test
    void wrong_arguments_of_every_command_change_nothing() throws SQLException {
        tables.dead("order.placed", "1", "mail", "down");
        tables.waiting("order.placed", "2", "mail");
        Map<String, Integer> before = tables.counts();
        List<List<String>> wrong = List.of(
                List.of(),
                List.of("frobnicate"),
                List.of("status", "--watch", "0"),
                List.of("status", "--watch", "soon"),
                List.of("status", "--table-prefix", "x; DROP TABLE y"),
                List.of("status", "--driver-path", "/no/such/place"),
                List.of("list", "--limit", "0"),
                List.of("list", "--state", "lost"),
                List.of("list", "--after", "x"),
                List.of("list", "--state", "ready", "--handler", "mail"),
                List.of("list", "--state", "waiting", "--since", "2h"),
                List.of("list", "--since", "yesterday"),
                List.of("show"),
                List.of("show", "17"),
                List.of("replay", "--yes"),
                List.of("replay", "--all", "--handler", "mail", "--yes"),
                List.of("replay", "17", "--yes"),
                List.of("replay", "--all", "--yes", "--limit", "0"),
                List.of("discard", "--yes"),
                List.of("discard", "--all", "--yes", "--rate", "-1"),
                List.of("discard", "--all", "--yes", "--unknown"),
                List.of("drop-deliveries", "--yes"),
                List.of("drop-deliveries", "--handler", "mail", "--limit", "many"),
                List.of("schema"),
                List.of("schema", "print"),
                List.of("schema", "print", "--database", "oracle"),
                List.of("schema", "verify", "--yes"),
                List.of("check", "now"));
        for (List<String> arguments : wrong) {
            terminal = new ScriptedTerminal();
            assertThat(run(arguments.toArray(String[]::new)))
                    .as(String.join(" ", arguments))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(terminal.errors())
                    .as(String.join(" ", arguments))
                    .startsWith("outbox: ")
                    .contains("Nothing was changed.")
                    .doesNotContain("Exception");
            assertThat(terminal.output()).isEmpty();
        }
        assertThat(tables.counts()).isEqualTo(before);
    }
}
