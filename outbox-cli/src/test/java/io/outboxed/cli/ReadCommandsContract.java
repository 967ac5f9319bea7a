package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@code status}, {@code list} and {@code show} answer. */
interface ReadCommandsContract extends CommandRunner {

    @Test
    default void status_counts_what_is_stored_and_shows_who_relays_it() throws SQLException {
        tables().ready("order.placed", "1");
        tables().ready("order.placed", "2");
        tables().waiting("order.placed", "3", "mail");
        tables().dead("order.placed", "4", "mail", "down");
        tables().blocked("order.placed", "5", "mail", "down");
        tables().node("n-1", "shop-1", 40);

        assertThat(output("status"))
                .containsPattern("ready +2\n")
                .containsPattern("waiting +1\n")
                .containsPattern("blocked +1\n")
                .containsPattern("dead +2\n")
                .containsPattern("blocked aggregates +1\n")
                .contains("shards: 64, of which 24 have no live node")
                .containsPattern("shop-1 +n-1 +40 +[\\d,.]+ s ago");
        assertThat(json("status", "--json")).contains("\"unownedShards\":24,", "\"label\":\"shop-1\"");
    }

    @Test
    default void if_all_nodes_are_dead_no_shard_has_a_live_node() throws SQLException {
        tables().node("n-1", "shop-1", 64, Duration.ofMinutes(14));
        assertThat(output("status")).contains("shards: 64, of which 0 have no live node", "shop-1", "840.");

        tables().run("DELETE FROM outbox_node");
        tables().node("n-1", "shop-1", 64, Duration.ofMinutes(16));
        assertThat(output("status"))
                .contains("shards: 64, of which 64 have no live node")
                .doesNotContain("shop-1");
        assertThat(json("status", "--json")).contains("\"unownedShards\":64,", "\"nodes\":[]");
    }

    @Test
    default void watch_draws_the_status_again_until_it_is_interrupted() {
        terminal().answering().onPause(count -> count < 3);

        assertThat(run("status", "--watch")).isZero();
        assertThat(terminal().output().split("\u001b\\[H\u001b\\[J", -1)).hasSize(4);
        newTerminal().onPause(count -> count < 3);
        assertThat(run("status", "--watch")).isZero();
        assertThat(terminal().output()).as("into a file").doesNotContain("\u001b");
        assertThat(terminal().output().split("oldest due message", -1)).hasSize(4);
        newTerminal().onPause(count -> count < 2);
        assertThat(run("status", "--watch=1", "--json")).isZero();
        assertThat(terminal().output().lines()).hasSize(2);
    }

    @Test
    default void watch_ends_when_nobody_reads_on() {
        List<Integer> pauses = new ArrayList<>();
        terminal().onPause(count -> {
            terminal().closeOutput();
            pauses.add(count);
            return count < 5;
        });

        assertThat(run("status", "--watch=1", "--json")).isEqualTo(ExitCode.UNWRITTEN);
        assertThat(pauses).containsExactly(1);
    }

    @Test
    default void times_are_relative_or_have_any_offset() throws SQLException {
        UUID id = tables().dead("order.placed", "1", "mail", "down");

        assertThat(json("list", "--json", "--since", "2h")).contains("\"found\":[]");
        assertThat(json("list", "--json", "--since", "1970-01-01T01:00:00+01:00"))
                .contains(id.toString());
    }

    @Test
    default void a_page_says_how_the_next_one_is_reached() throws SQLException {
        UUID first = tables().waiting("order.placed", "2", "mail");
        UUID second = tables().waiting("order.shipped", "3", "mail");

        String page = output("list", "--state", "waiting", "--limit", "1");
        assertThat(page).contains(first.toString(), "unknown to the node").doesNotContain(second.toString());
        String after = page.replaceFirst("(?s).*--after (\\S+)\\s*", "$1");
        assertThat(output("list", "--state", "waiting", "--limit", "1", "--after", after))
                .contains(second.toString())
                .doesNotContain("--after");
        output("pause", "--handler", "mail", "--by", "alice", "--reason", "mail server moves");
        output("pause", "--handler", "ship", "--by", "bob");
        page = output("audit", "--limit", "1");
        assertThat(page).containsPattern("bob( \\(\\S+\\))? +cli +pause +1 +- +handler ship +-");
        after = page.replaceFirst("(?s).*--after (\\S+)\\s*", "$1");
        assertThat(output("audit", "--after", after))
                .containsPattern("alice( \\(\\S+\\))? +cli +pause +1 +- +handler mail +mail server moves")
                .doesNotContain("bob", "--after");
    }

    @Test
    default void an_event_is_shown_without_its_content() throws SQLException {
        UUID id = tables().blocked("order.placed", "4", "ship", "down\u001b[2J");

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
    default void no_stored_text_looks_like_a_line_of_the_program() throws SQLException {
        String line = "Processed at 2026-11-21T10:00:00Z, in the history";
        String id = tables().dead("order.placed", "1", "mail\n" + line, "boom\n" + line)
                .toString();
        tables().dead("order.placed", "2", "mail", "down");
        tables().run("UPDATE outbox_dead SET payload = ?, headers = ?", "{\n" + line + "\n}", "{\n" + line + "\n}");

        assertThat(output("show", id, "--payload").lines())
                .contains("    " + line)
                .filteredOn(each -> each.contains("Processed"))
                .noneMatch(each -> each.startsWith("Processed"));
        for (String limit : List.of("1", "2")) {
            assertThat(output("list", "--limit", limit).lines()).noneMatch(each -> each.startsWith("Processed"));
        }
    }

    @Test
    default void the_content_is_shown_on_request_wherever_it_is() throws SQLException {
        UUID stored = tables().ready("order.placed", "1");
        UUID dead = tables().dead("order.placed", "2", "mail", "down");

        assertThat(output("show", stored.toString(), "--payload")).contains("4711", "abc");
        assertThat(json("show", dead.toString(), "--payload", "--json")).contains("4711", "abc");
    }

    @Test
    default void an_event_that_is_not_stored_is_reported() {
        assertThat(run("show", UUID.randomUUID().toString())).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().errors()).contains("Nothing is stored about");
        assertThat(run("show", UUID.randomUUID().toString(), "--json")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().output()).startsWith("{").contains("\"messages\":[]");
    }

    /** The encoding of the standard output is that of the locale, which may be that of ASCII. */
    @Test
    default void text_in_json_is_the_same_in_each_encoding() throws SQLException {
        tables().dead("order.placed", "M\u00fcller \u20ac", "mail", "down");

        assertThat(json("list", "--json")).contains("M\\u00fcller \\u20ac").matches("\\p{ASCII}*\\R?");
    }
}
