package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which deliveries {@code drop-deliveries} drops. */
interface DropDeliveriesContract extends CommandRunner {

    @Test
    default void deliveries_of_a_retired_handler_are_dropped_and_logged() throws SQLException {
        tables().handler("order.placed", "old", true);
        tables().handler("order.shipped", "old", false);
        UUID dropped = tables().waiting("order.placed", "1", "old");
        tables().waiting("order.shipped", "2", "old");
        tables().waiting("order.placed", "3", "mail");

        assertThat(run("drop-deliveries", "--handler", "old")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(tables().count("delivery")).isEqualTo(3);
        try (DiscardLog log = DiscardLog.open()) {
            assertThat(output("drop-deliveries", "--handler", "old", "--yes")).contains("1 delivery was dropped.");
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("OUTBOX-0445")
                    .contains(dropped.toString());
        }
        assertThat(tables().count("delivery")).isEqualTo(2);
        assertThat(tables().count("message")).isEqualTo(2);
        assertThat(tables().count("lane")).isEqualTo(2);
    }

    @Test
    default void a_handler_that_is_in_use_has_to_be_retired_first() throws SQLException {
        tables().handler("order.placed", "old", false);
        for (int i = 0; i < 150; i++) {
            tables().waiting("order.placed", "" + i, "old");
        }
        Map<String, Integer> before = tables().counts();

        assertThat(run("drop-deliveries", "--handler", "old", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(run("drop-deliveries", "--handler", "unheard-of", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(json("drop-deliveries", "--handler", "old", "--retire", "--yes", "--json"))
                .contains("\"dropped\":150", "\"locked\":0");
        assertThat(tables().count("delivery")).isZero();
        assertThat(tables().count("message")).isZero();
        assertThat(tables().count("lane")).isZero();
    }

    @Test
    default void a_preview_says_what_retiring_does_to_nodes_that_still_have_the_handler() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().handler("order.shipped", "gone", true);

        assertThat(run("drop-deliveries", "--handler", "old", "--retire")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output())
                .contains(
                        "It will be retired for: order.placed",
                        "no new events are delivered to it, not even by nodes that still have it",
                        "Nothing was changed.");
        newTerminal();
        run("drop-deliveries", "--handler", "gone", "--retire");
        assertThat(terminal().output()).as("it is retired already").doesNotContain("not even by nodes");
    }

    @Test
    default void a_retired_handler_for_which_nothing_waits_needs_no_confirmation() throws SQLException {
        tables().handler("order.placed", "old", true);
        tables().waiting("order.placed", "1", "mail");

        assertThat(output("drop-deliveries", "--handler", "old"))
                .isEqualToIgnoringNewLines("No delivery waits for handler old. Nothing was changed.");
        assertThat(json("drop-deliveries", "--handler", "old", "--retire", "--json"))
                .contains("\"waiting\":0", "\"dropped\":0");
        tables().handler("order.shipped", "old", false);
        assertThat(run("drop-deliveries", "--handler", "old", "--retire"))
                .as("there is something to retire")
                .isEqualTo(ExitCode.UNCONFIRMED);
    }

    @Test
    default void a_handler_that_is_in_use_for_any_type_keeps_what_it_was_once_retired_for() throws SQLException {
        tables().handler("order.placed", "old", true);
        tables().handler("*", "old", false);
        tables().waiting("order.placed", "1", "old");

        assertThat(run("drop-deliveries", "--handler", "old", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().errors()).contains("handler old is not retired for *");
        assertThat(tables().count("delivery")).isEqualTo(1);
        assertThat(json("drop-deliveries", "--handler", "old", "--retire", "--yes", "--json"))
                .contains("\"dropped\":1");
        assertThat(tables().count("message")).isZero();
    }

    @Test
    default void a_handler_that_observes_fewer_types_is_retired_for_those_that_it_has_lost() throws SQLException {
        tables().handler("*", "audit", false);
        tables().handler("order.placed", "audit", false);
        tables().waiting("order.placed", "1", "audit");
        tables().waiting("order.shipped", "2", "audit");
        tables().waiting("order.cancelled", "3", "audit");

        assertThat(run("drop-deliveries", "--handler", "audit", "--retire", "--type", "*"))
                .isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output())
                .contains(
                        "It will be retired for: *",
                        "It is not retired for, and keeps the deliveries of: order.placed",
                        "no new events of other types are delivered to it");
        newTerminal();
        assertThat(output("drop-deliveries", "--handler", "audit", "--retire", "--type", "*", "--yes"))
                .contains("2 deliveries were dropped.");
        assertThat(tables().texts("SELECT type FROM outbox_handler WHERE retired = 0"))
                .containsExactly("order.placed");
        assertThat(tables().texts("SELECT type FROM outbox_message")).containsExactly("order.placed");
        assertThat(tables().texts("SELECT handler FROM outbox_delivery")).containsExactly("audit");
        assertThat(tables().texts("SELECT target FROM outbox_audit WHERE action = 'retire'"))
                .containsExactly("handler audit for type *");
    }

    @Test
    default void a_handler_that_still_observes_any_type_keeps_what_it_is_retired_for() throws SQLException {
        tables().handler("*", "audit", false);
        tables().handler("order.placed", "audit", false);
        tables().waiting("order.placed", "1", "audit");

        assertThat(output("drop-deliveries", "--handler", "audit", "--retire", "--type", "order.placed", "--yes"))
                .contains("0 deliveries were dropped.")
                .doesNotContain("no new events");
        assertThat(tables().texts("SELECT type FROM outbox_handler WHERE retired = 0"))
                .containsExactly("*");
    }

    /** The row of a lost type is removed when nothing waits any more; then a dead letter of that type is replayed. */
    @Test
    default void what_waits_for_a_lost_type_without_a_row_is_dropped_although_the_handler_is_active()
            throws SQLException {
        tables().handler("order.placed", "audit", false);
        tables().waiting("order.placed", "1", "audit");
        tables().waiting("order.shipped", "2", "audit");

        assertThat(output("drop-deliveries", "--handler", "audit", "--yes"))
                .contains(
                        "It is not retired for, and keeps the deliveries of: order.placed", "1 delivery was dropped.");
        assertThat(tables().texts("SELECT type FROM outbox_message")).containsExactly("order.placed");
    }

    @Test
    default void a_type_for_which_the_handler_is_not_registered_changes_nothing() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "1", "old");
        tables().waiting("order.placed", "2", "gone");
        Map<String, Integer> before = tables().counts();

        for (String type : List.of("*", "order.shipped")) {
            newTerminal();
            assertThat(run("drop-deliveries", "--handler", "old", "--retire", "--type", type, "--yes"))
                    .isEqualTo(ExitCode.FOUND);
            assertThat(terminal().errors()).contains("no handler \"old\" is registered for type " + type);
        }
        newTerminal();
        assertThat(run("drop-deliveries", "--handler", "gone", "--retire", "--type", "order.placed", "--yes"))
                .isEqualTo(ExitCode.FOUND);
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(tables().texts("SELECT type FROM outbox_handler WHERE retired = 0"))
                .containsExactly("order.placed");
    }

    @Test
    default void what_waits_for_a_handler_that_is_registered_no_more_is_dropped() throws SQLException {
        tables().waiting("order.placed", "1", "gone");

        assertThat(output("drop-deliveries", "--handler", "gone", "--yes"))
                .contains("It is not registered for any type.", "1 delivery was dropped.");
        assertThat(tables().count("message")).isZero();
        tables().waiting("order.placed", "2", "?");
        newTerminal();
        assertThat(run("drop-deliveries", "--handler", "?", "--yes", "--json")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().output()).startsWith("{").contains("\"dropped\":0");
        assertThat(tables().count("message")).isEqualTo(1);
    }

    @Test
    default void a_message_whose_other_handlers_wait_is_kept() throws SQLException {
        tables().handler("order.placed", "old", true);
        UUID id = tables().waiting("order.placed", "1", "old");
        tables().run(
                        "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state)"
                                + " SELECT message_id, 'mail', 'mail', seq, lane, shard, 0 FROM outbox_delivery WHERE message_id = ?",
                        id);

        output("drop-deliveries", "--handler", "old", "--yes");
        assertThat(tables().texts("SELECT handler FROM outbox_delivery")).containsExactly("mail");
        assertThat(tables().count("message")).isEqualTo(1);
    }

    @Test
    default void a_delivery_that_is_in_use_is_left_and_the_exit_code_says_so() throws SQLException {
        tables().handler("order.placed", "old", true);
        tables().waiting("order.placed", "1", "old");
        try (Connection delivery = source().open()) {
            delivery.setAutoCommit(false);
            assertThat(new Jdbc(delivery, dialect()).exists("SELECT seq FROM outbox_message FOR UPDATE"))
                    .isTrue();
            assertThat(run("drop-deliveries", "--handler", "old", "--yes")).isEqualTo(ExitCode.FOUND);
            delivery.rollback();
        }
        assertThat(terminal().output()).contains("1 is in use and was skipped: run the command again.");
        assertThat(output("drop-deliveries", "--handler", "old", "--yes")).contains("1 delivery was dropped.");
    }

    @Test
    default void what_nodes_add_until_they_notice_that_the_handler_is_retired_is_dropped_too() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "8", "old");
        tables().waiting("order.placed", "9", "old");
        terminal().onPause(count -> {
            if (count == 1) {
                addWaiting("2");
            } else if (terminal().errors().contains("nodes notice within 10 s") && count < 5) {
                addWaiting("1");
            }
            return true;
        });

        assertThat(run("drop-deliveries", "--handler", "old", "--retire", "--yes", "--rate", "1"))
                .as(terminal().errors())
                .isZero();
        assertThat(tables().count("delivery")).isZero();
        assertThat(tables().count("message")).isZero();
        assertThat(terminal().output()).containsPattern("[4-9] deliveries were dropped.");
    }

    @Test
    default void a_run_that_is_interrupted_while_it_waits_is_completed_by_the_next_one() throws SQLException {
        tables().handler("order.placed", "old", false);
        terminal().onPause(count -> false);
        assertThat(run("drop-deliveries", "--handler", "old", "--retire", "--yes"))
                .isNotZero();
        tables().run("UPDATE outbox_audit SET changed_at = changed_at + 9000000");

        for (List<String> options : List.of(List.of("--retire"), List.<String>of())) {
            String[] next = Stream.concat(Stream.of("drop-deliveries", "--handler", "old"), options.stream())
                    .toArray(String[]::new);
            newTerminal();
            assertThat(run(next)).as("nodes may still add deliveries").isEqualTo(ExitCode.UNCONFIRMED);
            newTerminal().answering("drop").onPause(count -> {
                addWaiting("1");
                return true;
            });
            assertThat(run(next)).as(terminal().errors()).isZero();
            assertThat(terminal().output()).contains("1 delivery was dropped.");
        }
        assertThat(tables().count("delivery")).isZero();
    }

    @Test
    default void a_run_waits_only_until_nodes_have_noticed_that_the_handler_is_retired() throws SQLException {
        tables().handler("order.placed", "old", false);
        output("drop-deliveries", "--handler", "old", "--retire", "--yes");
        tables().run("UPDATE outbox_audit SET changed_at = changed_at - 4000000");
        List<Duration> pauses = new ArrayList<>();
        newTerminal().timedPauses(pauses);

        assertThat(run("drop-deliveries", "--handler", "old", "--retire", "--yes"))
                .isZero();
        assertThat(pauses)
                .singleElement()
                .satisfies(each -> assertThat(each).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(6)));
        tables().run("UPDATE outbox_audit SET changed_at = changed_at - 6000000");
        newTerminal().timedPauses(pauses);
        assertThat(run("drop-deliveries", "--handler", "old", "--retire", "--yes"))
                .isZero();
        assertThat(pauses).as("they have noticed").hasSize(1);
    }

    /** The lanes of these tables have the order of one-digit aggregates. */
    private void addWaiting(String aggregate) {
        try {
            tables().waiting("order.placed", aggregate, "old");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    default void a_limit_also_holds_for_what_nodes_add() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "8", "old");
        tables().waiting("order.placed", "9", "old");
        terminal().onPause(count -> {
            addWaiting("1");
            addWaiting("2");
            return true;
        });

        assertThat(run("drop-deliveries", "--handler", "old", "--retire", "--yes", "--limit", "3"))
                .isZero();
        assertThat(tables().count("delivery")).isEqualTo(1);
    }
}
