package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.operator.Operator.Bulk;
import io.outboxed.operator.Operator.Progress;
import io.outboxed.operator.Outcome.Started;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Retries of many deliveries that wait for their next attempt, which nodes make in the background. */
interface ManyRetriesContract extends OperatorFixture {
    DeadLetterFilter OF_MAIL = DeadLetterFilter.all().handler("mail");

    private Outcome start(DeadLetterFilter filter, int perSecond) {
        return operator().start(new Bulk(Kind.RETRY, filter, false, perSecond, REASON));
    }

    private Started started(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Started.class);
        return (Started) outcome;
    }

    private Progress progress(Started operation) {
        return operator().operation(operation.operation().toString()).orElseThrow();
    }

    private List<String> notDue() throws SQLException {
        return tables().texts("SELECT handler FROM outbox_delivery WHERE due_at = " + Tables.FAR_AWAY);
    }

    @Test
    default void a_retry_of_many_makes_due_what_it_selects_and_counts_it() throws SQLException {
        tables().waitingLong("order.placed", "1", "mail");
        tables().waitingLong("order.placed", "2", "mail");
        tables().waitingLong("order.placed", "3", "ship");
        tables().waiting("order.placed", "4", "mail");
        tables().dead("order.placed", "5", "mail", "down");

        Started started = started(start(OF_MAIL, 1000));
        assertThat(started.matched()).as("one is due already").isEqualTo(2);
        assertThat(progress(started)).isEqualTo(new Progress("running", 2, 0));
        assertThat(notDue()).as("the nodes will do it").hasSize(3);
        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 2, 2));
        assertThat(notDue()).containsExactly("ship");
        assertThat(tables().texts("SELECT handler_group FROM outbox_lane WHERE resume_at = " + Tables.FAR_AWAY))
                .as("the relay looks at the others")
                .containsExactly("group of ship");
        assertThat(tables().texts("SELECT DISTINCT attempts FROM outbox_delivery"))
                .containsExactly("2");
        assertThat(tables().count("dead")).isOne();
        assertThat(audit()).containsExactly(new Audited("retry", null, 2));
        assertThat(tables().texts("SELECT target FROM outbox_audit"))
                .singleElement()
                .asString()
                .startsWith("waiting deliveries until ")
                .endsWith(" of handler mail");
    }

    @Test
    default void all_conditions_of_a_retry_of_many_are_met_together() throws SQLException {
        tables().waitingLong("order.placed", "1", "mail");
        tables().waitingLong("order.placed", "2", "mail");
        tables().waitingLong("order.paid", "2", "mail");

        DeadLetterFilter narrow = OF_MAIL.type("order.placed")
                .aggregate("order", "2")
                .error("to the")
                .errorKind("unknown to the node");
        Started started = started(start(narrow, 1000));
        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 1, 1));
        assertThat(notDue()).hasSize(2);
    }

    @Test
    default void everything_that_waits_is_retried_if_that_is_asked_for() throws SQLException {
        tables().waitingLong("order.placed", "1", "mail");
        tables().waitingLong("order.placed", "2", "ship");

        Started started = started(start(DeadLetterFilter.all(), 1000));
        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 2, 2));
        assertThat(notDue()).isEmpty();
    }

    @Test
    default void what_is_stored_after_the_start_is_not_retried() throws SQLException {
        tables().waitingLong("order.placed", "1", "mail");
        Started started = started(start(OF_MAIL, 1000));
        UUID later = tables().waitingLong("order.placed", "2", "mail");

        nodesWork();
        assertThat(progress(started)).isEqualTo(new Progress("complete", 1, 1));
        assertThat(tables().ids("SELECT message_id AS found FROM outbox_delivery WHERE due_at = " + Tables.FAR_AWAY))
                .containsExactly(later);
    }

    @Test
    default void a_cancelled_retry_of_many_changes_nothing_more() throws SQLException {
        for (int i = 0; i < 3; i++) {
            tables().waitingLong("order.placed", "" + i, "mail");
        }
        Started started = started(start(OF_MAIL, 1));
        String id = started.operation().toString();

        nodesWorkOnce();
        assertThat(operator().cancel(id, REASON)).isEqualTo(Outcome.DONE);
        nodesWorkOnce();
        assertThat(progress(started)).isEqualTo(new Progress("cancelled", 3, 1));
        assertThat(notDue()).hasSize(2);
        assertThat(audit()).containsExactlyInAnyOrder(new Audited("retry", null, 1), new Audited("cancel", null, 1));
    }

    @Test
    default void a_retry_of_many_leaves_a_running_one_alone_and_shares_nothing_with_a_replay() throws SQLException {
        tables().waitingLong("order.placed", "1", "mail");
        tables().dead("order.placed", "2", "mail", "down");
        started(start(OF_MAIL, 1000));

        assertThat(start(OF_MAIL.type("order.placed"), 1000)).isEqualTo(Outcome.OPERATION_RUNNING);
        started(operator().start(new Bulk(Kind.REPLAY, OF_MAIL, true, 1000, REASON)));
        assertThat(audit()).containsExactlyInAnyOrder(new Audited("retry", null, 0), new Audited("replay", null, 0));
    }
}
