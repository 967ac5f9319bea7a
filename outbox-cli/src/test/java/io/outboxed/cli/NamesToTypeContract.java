package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code handlers} and {@code failures} print what other commands take, as it has to be typed. */
interface NamesToTypeContract extends CommandRunner {
    String LONGEST_NAME = "m".repeat(128);
    String LONG_KIND = "the warehouse has no such item ".repeat(5);

    @Test
    default void handlers_are_listed_with_their_types_and_groups_and_whether_events_wait_for_them()
            throws SQLException {
        tables().handler("order.placed", "mail", false);
        tables().handler("order.placed", "old", true);
        tables().handler("*", "audit", false);
        tables().waiting("order.placed", "1", "old");
        tables().waiting("order.placed", "2", "old");

        assertThat(output("handlers").lines())
                .containsExactly(
                        "HANDLER  TYPE          GROUP           STATE    VERSION  WAITING",
                        "audit    *             group of audit  active   1        0",
                        "mail     order.placed  group of mail   active   1        0",
                        "old      order.placed  group of old    retired  1        2");
        assertThat(json("handlers", "--json"))
                .contains("{\"type\":\"order.placed\",\"handler\":\"old\",\"group\":\"group of old\",\"retired\":true,"
                        + "\"registryVersion\":1,\"waiting\":2,\"atLeast\":[]}");
    }

    @Test
    default void without_handlers_or_failures_there_is_only_the_heading() {
        assertThat(output("handlers").lines()).containsExactly("HANDLER  TYPE  GROUP  STATE  VERSION  WAITING");
        assertThat(json("handlers", "--json")).isEqualToIgnoringNewLines("{\"handlers\":[]}");
        assertThat(output("failures").lines())
                .containsExactly("COUNT  HANDLER  TYPE  FIRST  LAST  LATEST MESSAGE  ERROR KIND");
        assertThat(json("failures", "--json"))
                .isEqualToIgnoringNewLines("{\"failures\":[],\"matched\":0,\"atLeast\":[]}");
    }

    @Test
    default void failures_are_grouped_the_largest_group_first() throws SQLException {
        UUID rejected = tables().dead("order.placed", "1", "ship", "order 17 rejected");
        tables().dead("order.placed", "2", "mail", "java.net.ConnectException: refused by mail-1");
        UUID refused = tables().dead("order.placed", "3", "mail", "java.net.ConnectException: refused by mail-2");

        assertThat(output("failures").lines())
                .containsExactly(
                        "COUNT  HANDLER  TYPE          FIRST                 LAST                  LATEST MESSAGE"
                                + "                        ERROR KIND",
                        "2      mail     order.placed  1970-01-01T00:16:42Z  1970-01-01T00:16:43Z  " + refused
                                + "  java.net.ConnectException",
                        "1      ship     order.placed  1970-01-01T00:16:41Z  1970-01-01T00:16:41Z  " + rejected
                                + "  order");
        assertThat(json("failures", "--handler", "ship", "--json"))
                .isEqualToIgnoringNewLines("{\"failures\":[{\"handler\":\"ship\",\"type\":\"order.placed\",\"error\":"
                        + "\"order\",\"count\":1,\"firstDiedAt\":\"1970-01-01T00:16:41Z\",\"lastDiedAt\":"
                        + "\"1970-01-01T00:16:41Z\",\"sample\":\"" + rejected + "\"}],\"matched\":1,\"atLeast\":[]}");
    }

    @Test
    default void failures_take_the_conditions_of_a_list_of_dead_letters() throws SQLException {
        UUID mail = tables().dead("order.placed", "1", "mail", "down");
        UUID held = tables().blocked("order.placed", "2", "mail", "down");

        assertThat(output("failures", "--blocking"))
                .containsPattern("(?m)^1 +mail ")
                .contains(held.toString());
        assertThat(output("failures", mail.toString()))
                .containsPattern("(?m)^1 +mail ")
                .contains(mail.toString());
        assertThat(output("failures", "--until", "1970-01-01T01:16:42+01:00")).contains(mail.toString());
        assertThat(output("failures", "--since", "2h").lines()).hasSize(1);
    }

    @Test
    default void names_and_kinds_are_printed_whole_so_that_other_commands_take_them() throws SQLException {
        tables().handler("order.placed", LONGEST_NAME, false);
        tables().dead("order.placed", "1", LONGEST_NAME, LONG_KIND + "17");

        String handler =
                output("handlers").lines().skip(1).findFirst().orElseThrow().split(" ")[0];
        String line = output("failures").lines().skip(1).findFirst().orElseThrow();
        String kind = line.replaceFirst(".*[0-9a-f-]{36}  ", "");
        assertThat(handler).isEqualTo(LONGEST_NAME);
        assertThat(output("discard", "--handler", handler, "--error-kind", kind, "--yes"))
                .contains("1 dead letter was discarded.");
        output("pause", "--handler", handler);
        assertThat(terminal().errors()).as("it is registered").isEmpty();
    }

    @Test
    default void what_is_stored_controls_no_terminal() throws SQLException {
        tables().handler("order\u001b[31m.placed", "mail", false);
        tables().dead("order.placed", "1", "mail", "down\u001b\u009b\u202e and out");

        assertThat(output("handlers")).contains("order [31m.placed").doesNotContain("\u001b");
        assertThat(output("failures"))
                .contains("down and out")
                .doesNotContain("\u001b")
                .doesNotContain("\u009b")
                .doesNotContain("\u202e");
        assertThat(json("failures", "--json")).contains("down\\u001b\\u009b\\u202e and out");
    }
}
