package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.operator.Operator.Bulk;
import io.outboxed.operator.Operator.Listed;
import io.outboxed.operator.Operator.Progress;
import io.outboxed.operator.Outcome.Started;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Changes of many dead letters, which nodes make in the background. */
interface ManyDeadLettersContract extends OperatorFixture {
    DeadLetterFilter MAIL = DeadLetterFilter.all().handler("mail");
    int FAST = 1000;

    private Started started(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Started.class);
        return (Started) outcome;
    }

    private Progress progress(Started operation) {
        return operator().operation(operation.operation().toString()).orElseThrow();
    }

    @Test
    default void a_replay_of_many_changes_what_it_selects_and_counts_it() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().blocked("order.placed", "2", "mail", "down");
        tables().dead("order.placed", "3", "ship", "down");

        Started started = started(operator().start(new Bulk(Kind.REPLAY, MAIL, true, FAST, REASON)));
        assertThat(started.matched()).isEqualTo(2);
        assertThat(progress(started)).isEqualTo(new Progress("running", 2, 0));
        assertThat(tables().count("dead")).as("the nodes will do it").isEqualTo(3);
        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 2, 2));
        assertThat(tables().texts("SELECT handler FROM outbox_dead")).containsExactly("ship");
        assertThat(tables().texts("SELECT only_handler FROM outbox_message WHERE status = 0"))
                .as("behind the others")
                .containsExactly("mail");
        assertThat(tables().texts("SELECT state FROM outbox_delivery"))
                .as("in its place")
                .containsExactly("0");
        assertThat(audit()).containsExactly(new Audited("replay", null, 2));
    }

    @Test
    default void operations_are_listed_and_those_that_run_come_first() throws SQLException {
        assertThat(operator().operations()).isEmpty();
        tables().dead("order.placed", "1", "mail", "down");
        tables().dead("order.placed", "2", "ship", "down");
        Started ended = started(operator().start(new Bulk(Kind.REPLAY, MAIL, true, FAST, REASON)));
        nodesWork();
        DeadLetterFilter ship = DeadLetterFilter.all().handler("ship");
        Started running = started(operator().start(new Bulk(Kind.DISCARD, ship, false, FAST, REASON)));

        assertThat(operator().operations())
                .containsExactly(
                        new Listed(running.operation(), new Progress("running", 1, 0)),
                        new Listed(ended.operation(), new Progress("complete", 1, 1)));
    }

    @Test
    default void a_discard_of_many_names_each_one_in_the_audit() throws SQLException {
        UUID first = tables().dead("order.placed", "1", "mail", "down");
        UUID second = tables().blocked("order.placed", "2", "mail", "down");
        UUID other = tables().dead("order.placed", "3", "ship", "down");

        Started started = started(operator().start(new Bulk(Kind.DISCARD, MAIL, false, FAST, REASON)));
        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 2, 2));
        assertThat(tables().ids("SELECT message_id AS found FROM outbox_dead")).containsExactly(other);
        assertThat(tables().count("message") + tables().count("delivery")).isZero();
        assertThat(audit())
                .containsExactlyInAnyOrder(
                        new Audited("discard", null, 2),
                        new Audited("discard", first, 1),
                        new Audited("discard", second, 1));
    }

    @Test
    default void a_kind_of_error_is_discarded_and_nothing_that_contains_it() throws SQLException {
        tables().dead("order.placed", "1", "mail", "order 17 rejected");
        UUID other = tables().dead("order.placed", "2", "mail", "no such order");

        Started started = started(operator()
                .start(new Bulk(Kind.DISCARD, DeadLetterFilter.all().errorKind("order"), false, FAST, REASON)));
        assertThat(started.matched()).isOne();
        nodesWork();
        assertThat(tables().ids("SELECT message_id AS found FROM outbox_dead")).containsExactly(other);
        assertThat(tables().texts("SELECT target FROM outbox_audit WHERE message_id IS NULL"))
                .singleElement()
                .asString()
                .contains("with error order");
    }

    @Test
    default void what_a_running_operation_may_select_is_left_to_it() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        Started started = started(operator().start(new Bulk(Kind.REPLAY, MAIL, true, FAST, REASON)));

        assertThat(operator().start(new Bulk(Kind.DISCARD, MAIL.type("order.placed"), false, FAST, REASON)))
                .isEqualTo(Outcome.OPERATION_RUNNING);
        assertThat(progress(started)).isEqualTo(new Progress("running", 1, 0));
        assertThat(audit()).containsExactly(new Audited("replay", null, 0));
        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 1, 1));
    }

    @Test
    default void everything_is_selected_if_that_is_asked_for() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().dead("order.placed", "2", "ship", "down");

        Started started =
                started(operator().start(new Bulk(Kind.DISCARD, DeadLetterFilter.all(), false, FAST, REASON)));
        assertThat(started.matched()).isEqualTo(2);
        nodesWork();
        assertThat(tables().count("dead")).isZero();
    }

    @Test
    default void without_consent_no_event_is_put_behind_newer_ones() throws SQLException {
        UUID id = tables().dead("order.placed", "1", "mail", "down");

        Outcome outcome = operator().start(new Bulk(Kind.REPLAY, MAIL, false, FAST, REASON));
        nodesWork();
        if (outcome instanceof Started started) {
            assertThat(progress(started)).as("it skips them").isEqualTo(new Progress("complete", 1, 0));
        } else {
            assertThat(outcome).isEqualTo(Outcome.WOULD_REORDER);
            assertThat(audit()).isEmpty();
        }
        assertThat(tables().ids("SELECT message_id AS found FROM outbox_dead")).containsExactly(id);
        assertThat(tables().count("message")).isZero();
    }

    @Test
    default void what_keeps_its_place_needs_no_consent() throws SQLException {
        tables().blocked("order.placed", "1", "mail", "down");
        tables().dead("order.placed", "2", "mail", "down");

        Started started = started(operator().start(new Bulk(Kind.REPLAY, MAIL.onlyBlocking(), false, FAST, REASON)));
        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 1, 1));
        assertThat(tables().texts("SELECT state FROM outbox_delivery")).containsExactly("0");
        assertThat(tables().count("dead")).isOne();
    }

    @Test
    default void what_dies_after_the_start_is_not_selected() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        Started started = started(operator().start(new Bulk(Kind.DISCARD, MAIL, false, FAST, REASON)));
        UUID later = tables().dead("order.placed", "2", "mail", "down");
        tables().run(
                        "UPDATE outbox_dead SET died_at = ? WHERE message_id = ?",
                        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plusSeconds(60)),
                        later);

        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 1, 1));
        assertThat(tables().ids("SELECT message_id AS found FROM outbox_dead")).containsExactly(later);
    }

    @Test
    default void a_cancelled_operation_changes_nothing_more() throws SQLException {
        for (int i = 0; i < 3; i++) {
            tables().dead("order.placed", "" + i, "mail", "down");
        }
        Started started = started(operator().start(new Bulk(Kind.REPLAY, MAIL, true, 1, REASON)));
        String id = started.operation().toString();

        nodesWorkOnce();
        assertThat(operator().cancel(id, REASON)).isEqualTo(Outcome.DONE);
        nodesWorkOnce();
        assertThat(progress(started)).isEqualTo(new Progress("cancelled", 3, 1));
        assertThat(List.of(tables().count("dead"), tables().count("message"))).containsExactly(2, 1);
        assertThat(operator().cancel(id, REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
        assertThat(audit()).containsExactlyInAnyOrder(new Audited("replay", null, 1), new Audited("cancel", null, 1));
        assertThat(operator().cancel(UNKNOWN, REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
        assertThat(operator().operation(UNKNOWN)).isEmpty();
    }
}
