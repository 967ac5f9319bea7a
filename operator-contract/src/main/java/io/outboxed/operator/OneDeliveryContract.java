package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.PauseTarget;
import io.outboxed.operator.Operator.HeldUp;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Changes of one dead letter or one waiting delivery. */
interface OneDeliveryContract extends OperatorFixture {
    /** In microseconds since 1970: the year 2255. */
    long FAR_AWAY = 9_000_000_000_000_000L;

    @Test
    default void a_replay_is_for_one_handler_only() throws SQLException {
        UUID id = tables().dead("order.placed", "1", "mail", "down");
        tables().alsoDead(id, "ship");

        assertThat(operator().replay(id.toString(), "mail", true, REASON)).isEqualTo(Outcome.DONE);
        assertThat(tables().texts("SELECT only_handler FROM outbox_message")).containsExactly("mail");
        assertThat(tables().ids("SELECT id AS found FROM outbox_message")).containsExactly(id);
        assertThat(tables().texts("SELECT handler FROM outbox_dead")).containsExactly("ship");
        assertThat(audit()).containsExactly(new Audited("replay", id, 1));
        assertThat(tables().texts("SELECT target FROM outbox_audit").get(0)).contains("handler mail");
    }

    @Test
    default void a_replay_that_changes_the_order_needs_consent() throws SQLException {
        UUID id = tables().dead("order.placed", "1", "mail", "down");
        Map<String, Integer> before = tables().counts();

        assertThat(operator().replay(id.toString(), "mail", false, REASON)).isEqualTo(Outcome.WOULD_REORDER);
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(audit()).isEmpty();
        assertThat(operator().replay(id.toString(), "mail", true, REASON)).isEqualTo(Outcome.DONE);
        assertThat(tables().count("dead")).isZero();
        assertThat(tables().count("message")).isOne();
        assertThat(audit()).containsExactly(new Audited("replay", id, 1));
    }

    @Test
    default void a_replay_that_keeps_the_order_needs_none() throws SQLException {
        UUID held = tables().blocked("order.placed", "1", "mail", "down");
        UUID alone = tables().dead("order.placed", "", "mail", "down");

        assertThat(operator().replay(held.toString(), "mail", false, REASON)).isEqualTo(Outcome.DONE);
        assertThat(tables().texts("SELECT state FROM outbox_delivery")).containsExactly("0");
        assertThat(operator().replay(alone.toString(), "mail", false, REASON)).isEqualTo(Outcome.DONE);
        assertThat(tables().count("dead")).isZero();
        assertThat(tables().count("message")).isEqualTo(2);
        assertThat(audit()).containsExactlyInAnyOrder(new Audited("replay", held, 1), new Audited("replay", alone, 1));
    }

    @Test
    default void a_replay_that_has_lost_its_place_needs_consent() throws SQLException {
        UUID held = tables().blocked("order.placed", "1", "mail", "down");
        tables().run("DELETE FROM outbox_delivery");
        tables().run("DELETE FROM outbox_message");

        assertThat(operator().replay(held.toString(), "mail", false, REASON)).isEqualTo(Outcome.WOULD_REORDER);
        assertThat(tables().count("dead")).isOne();
        assertThat(tables().count("message")).isZero();
        assertThat(audit()).isEmpty();
        assertThat(operator().replay(held.toString(), "mail", true, REASON)).isEqualTo(Outcome.DONE);
        assertThat(tables().count("dead")).isZero();
        assertThat(tables().count("message")).isOne();
    }

    @Test
    default void a_discard_removes_what_waits_and_leaves_a_row_in_the_audit() throws SQLException {
        UUID held = tables().blocked("order.placed", "1", "mail", "down");
        UUID id = tables().dead("order.placed", "2", "mail", "down");
        tables().alsoDead(id, "ship");

        assertThat(operator().discard(held.toString(), "mail", REASON)).isEqualTo(Outcome.DONE);
        assertThat(operator().discard(id.toString(), "mail", REASON)).isEqualTo(Outcome.DONE);
        assertThat(tables().texts("SELECT handler FROM outbox_dead")).containsExactly("ship");
        for (String table : new String[] {"message", "delivery", "lane"}) {
            assertThat(tables().count(table)).as(table).isZero();
        }
        assertThat(audit()).containsExactlyInAnyOrder(new Audited("discard", held, 1), new Audited("discard", id, 1));
        assertThat(tables().texts("SELECT target FROM outbox_audit")).containsOnly("handler mail");
    }

    @Test
    default void what_is_gone_or_was_never_there_is_not_changed() throws SQLException {
        UUID id = tables().dead("order.placed", "1", "mail", "down");
        tables().alsoDead(id, "ship");
        operator().discard(id.toString(), "mail", REASON);
        Map<String, Integer> before = tables().counts();

        for (String handler : new String[] {"mail", "nobody"}) {
            for (String event : new String[] {id.toString(), UNKNOWN}) {
                assertThat(operator().replay(event, handler, true, REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
                assertThat(operator().discard(event, handler, REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
                assertThat(operator().retry(event, handler, REASON)).isEqualTo(Outcome.NOTHING_TO_CHANGE);
            }
        }
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(audit()).containsExactly(new Audited("discard", id, 1));
    }

    @Test
    default void a_delivery_that_waits_is_made_due() throws SQLException {
        UUID id = tables().waiting("order.placed", "1", "mail");
        tables().alsoWaiting(id, "1", "ship");
        UUID held = tables().blocked("order.placed", "2", "mail", "down");
        tables().run("UPDATE outbox_delivery SET due_at = ?", FAR_AWAY);
        tables().run("UPDATE outbox_lane SET resume_at = ? WHERE resume_at IS NOT NULL", FAR_AWAY);

        assertThat(operator().retry(held.toString(), "mail", REASON))
                .as("it does not wait for an attempt")
                .isEqualTo(Outcome.NOTHING_TO_CHANGE);
        assertThat(operator().retry(id.toString(), "mail", REASON)).isEqualTo(Outcome.DONE);
        assertThat(tables().texts("SELECT handler FROM outbox_delivery WHERE due_at < " + FAR_AWAY))
                .containsExactly("mail");
        assertThat(tables().texts("SELECT handler_group FROM outbox_lane WHERE resume_at < " + FAR_AWAY))
                .containsExactly("group of mail");
        assertThat(tables().texts("SELECT attempts FROM outbox_delivery WHERE due_at < " + FAR_AWAY))
                .containsExactly("2");
        assertThat(audit()).containsExactly(new Audited("retry-now", id, 1));
    }

    @Test
    default void a_retry_says_what_still_holds_up_the_delivery() throws SQLException {
        UUID alone = tables().waiting("order.placed", "1", "mail");
        UUID first = tables().waiting("order.placed", "2", "mail");
        UUID second = tables().waiting("order.placed", "2", "mail");
        UUID held = tables().blocked("order.placed", "3", "mail", "down");
        UUID behind = tables().waiting("order.placed", "3", "mail");
        tables().run("UPDATE outbox_lane SET resume_at = NULL WHERE lane IN (SELECT lane FROM outbox_delivery"
                + " WHERE state = 2)");

        assertThat(operator().retryHeldUp(alone.toString(), "mail", REASON)).isEmpty();
        assertThat(operator().retryHeldUp(first.toString(), "mail", REASON)).isEmpty();
        assertThat(operator().retryHeldUp(second.toString(), "mail", REASON)).contains(new HeldUp("retry", first));
        assertThat(operator().retryHeldUp(behind.toString(), "mail", REASON)).contains(new HeldUp("dead_letter", held));
        operator().pause(PauseTarget.Kind.HANDLER, "mail", REASON);
        assertThat(operator().retryHeldUp(alone.toString(), "mail", REASON)).contains(new HeldUp("pause", alone));
    }
}
