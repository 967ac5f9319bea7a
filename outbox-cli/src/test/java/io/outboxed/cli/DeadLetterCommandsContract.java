package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@code replay} and {@code discard} ask for, change and log. */
interface DeadLetterCommandsContract extends CommandRunner {

    @Test
    default void a_replay_shows_what_it_does_and_changes_nothing_without_a_confirmation() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().blocked("order.placed", "2", "mail", "down");
        Map<String, Integer> before = tables().counts();

        assertThat(run("replay", "--handler", "mail")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output())
                .contains("2 dead letters match. Holding up later events of their aggregate: 1.")
                .contains("ORDER: 1 of them did not hold up their aggregate")
                .contains("Nothing was changed.");
        assertThat(terminal().errors()).contains("--yes");
        newTerminal().answering("yes");
        assertThat(run("replay", "--handler", "mail")).isEqualTo(ExitCode.UNCONFIRMED);
        newTerminal();
        assertThat(run("replay", "--handler", "mail", "--yes")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().errors()).contains("--allow-reordering");
        assertThat(tables().counts()).isEqualTo(before);
    }

    @Test
    default void a_blocked_delivery_whose_message_is_gone_is_left_and_the_exit_code_says_so() throws SQLException {
        tables().blocked("order.placed", "2", "mail", "down");
        tables().run("DELETE FROM outbox_delivery");
        tables().run("DELETE FROM outbox_message");

        assertThat(run("replay", "--all", "--yes")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().output())
                .contains("0 dead letters were replayed.", "1 was skipped", "--allow-reordering");
        newTerminal();
        assertThat(run("replay", "--all", "--yes", "--json")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().output()).contains("\"replayed\":0", "\"lostPlace\":1");
        assertThat(tables().count("dead")).isEqualTo(1);
        assertThat(output("replay", "--all", "--yes", "--allow-reordering")).contains("1 dead letter was replayed.");
        assertThat(tables().count("message")).isEqualTo(1);
    }

    @Test
    default void an_event_without_an_aggregate_needs_no_second_acknowledgement() throws SQLException {
        tables().dead("order.placed", "", "mail", "down");
        tables().dead("order.placed", "2", "mail", "down");

        assertThat(run("replay", "--all")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output())
                .contains("ORDER: 1 of them did not hold up their aggregate")
                .contains("1 has no aggregate, so there is no order to keep.");
        tables().run("DELETE FROM outbox_dead WHERE aggregate_id = '2'");
        assertThat(output("replay", "--all", "--yes")).contains("1 dead letter was replayed.");
        assertThat(tables().count("dead")).isZero();
    }

    @Test
    default void a_typed_confirmation_replays() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        terminal().answering("replay");

        assertThat(run("replay", "--all")).as(terminal().errors()).isZero();
        assertThat(tables().count("dead")).isZero();
        assertThat(tables().count("message")).isEqualTo(1);
    }

    @Test
    default void each_discarded_dead_letter_is_logged() throws SQLException {
        UUID skipped = tables().dead("order.placed", "1", "mail", "down");
        UUID blocked = tables().blocked("order.placed", "2", "mail", "down");
        UUID other = tables().dead("order.placed", "3", "ship", "down");
        try (DiscardLog log = DiscardLog.open()) {
            assertThat(output("discard", "--handler", "mail", "--yes")).contains("2 dead letters were discarded.");
            assertThat(log.lines())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("OUTBOX-0444") && !line.contains("\"4711\""))
                    .anyMatch(line -> line.contains(skipped.toString()))
                    .anyMatch(line -> line.contains(blocked.toString()));
        }
        assertThat(tables().texts("SELECT message_id FROM outbox_dead")).hasSize(1);
        assertThat(output("list")).contains(other.toString());
        assertThat(tables().count("message")).isZero();
        assertThat(tables().count("lane")).isZero();
    }

    @Test
    default void a_limit_takes_the_oldest() throws SQLException {
        tables().dead("order.placed", "1", "mail", "first");
        tables().dead("order.placed", "2", "mail", "second");
        tables().dead("order.placed", "3", "mail", "third");

        output("discard", "--all", "--limit", "2", "--yes");
        assertThat(tables().texts("SELECT error FROM outbox_dead")).containsExactly("third");
    }

    @Test
    default void an_interrupted_change_leaves_the_rest_and_the_next_one_goes_on() throws SQLException {
        for (int i = 0; i < 6; i++) {
            tables().dead("order.placed", "" + i, "mail", "down");
        }
        terminal().onPause(count -> count < 3);

        assertThat(run("replay", "--all", "--yes", "--allow-reordering", "--rate", "1"))
                .isEqualTo(ExitCode.INTERRUPTED);
        assertThat(terminal().output()).contains("3 dead letters were replayed.");
        assertThat(tables().count("message")).isEqualTo(3);
        assertThat(tables().count("dead")).isEqualTo(3);
        output("replay", "--all", "--yes", "--allow-reordering");
        assertThat(tables().count("message")).isEqualTo(6);
        assertThat(tables().count("dead")).isZero();
    }

    @Test
    default void what_is_in_use_is_left_and_the_exit_code_says_so() throws SQLException {
        tables().blocked("order.placed", "1", "mail", "down");
        tables().dead("order.placed", "2", "mail", "down");
        try (Connection delivery = source().open()) {
            delivery.setAutoCommit(false);
            assertThat(new Jdbc(delivery, dialect()).exists("SELECT seq FROM outbox_message FOR UPDATE"))
                    .isTrue();
            assertThat(run("discard", "--all", "--yes")).isEqualTo(ExitCode.FOUND);
            delivery.rollback();
        }
        assertThat(terminal().output())
                .contains("1 dead letter was discarded.", "1 is in use and was skipped: run the command again.");
        assertThat(output("discard", "--all", "--yes")).contains("1 dead letter was discarded.");
    }
}
