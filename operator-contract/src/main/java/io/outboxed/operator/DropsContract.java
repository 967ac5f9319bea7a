package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.operator.Operator.Drop;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Handlers that no deployment has any more, and what waits for them. */
interface DropsContract extends OperatorFixture {
    int ALL = 1_000;
    String IN_USE = "SELECT CONCAT(handler, ' of ', type) FROM outbox_handler WHERE retired = 0 ORDER BY type";

    private static Drop drop(String handler) {
        return new Drop(handler, false, null, ALL, REASON);
    }

    private static Drop retiring(String handler, String type) {
        return new Drop(handler, true, type, ALL, REASON);
    }

    private static Outcome dropped(int count) {
        return new Outcome.Changed(count);
    }

    @Test
    default void a_handler_is_retired_and_what_waits_for_it_is_dropped() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().handler("order.placed", "mail", false);
        UUID first = tables().waiting("order.placed", "1", "old");
        UUID second = tables().waitingLong("order.placed", "2", "old");
        UUID kept = tables().waiting("order.placed", "3", "mail");
        UUID blocked = tables().blocked("order.placed", "4", "old", "down");
        Map<String, Integer> before = tables().counts();

        assertThat(operator().preview(retiring("old", null))).isEqualTo(new Outcome.WouldChange(2));
        assertThat(tables().counts()).as("a preview").isEqualTo(before);
        assertThat(tables().texts(IN_USE)).hasSize(2);
        assertThat(operator().drop(retiring("old", null))).isEqualTo(dropped(2));
        assertThat(tables().texts(IN_USE)).containsExactly("mail of order.placed");
        assertThat(tables().ids("SELECT id AS found FROM outbox_message")).containsExactlyInAnyOrder(kept, blocked);
        assertThat(tables().count("lane")).isEqualTo(2);
        assertThat(audit())
                .containsExactlyInAnyOrder(
                        new Audited("retire", null, 1),
                        new Audited("drop-deliveries", first, 1),
                        new Audited("drop-deliveries", second, 1));
        assertThat(operator().preview(drop("old"))).isEqualTo(new Outcome.WouldChange(0));
        assertThat(operator().drop(retiring("old", null))).as("once more").isEqualTo(dropped(0));
        assertThat(audit()).hasSize(3);
    }

    @Test
    default void what_waits_for_a_handler_in_use_is_kept_unless_it_is_to_be_retired() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "1", "old");
        Map<String, Integer> before = tables().counts();

        assertThat(operator().preview(drop("old"))).isEqualTo(Outcome.HANDLER_IN_USE);
        assertThat(operator().drop(drop("old"))).isEqualTo(Outcome.HANDLER_IN_USE);
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(tables().texts(IN_USE)).containsExactly("old of order.placed");
        tables().run("UPDATE outbox_handler SET retired = 1");
        assertThat(operator().drop(drop("old"))).isEqualTo(dropped(1));
        assertThat(audit()).extracting(Audited::action).containsExactly("drop-deliveries");
    }

    @Test
    default void a_handler_is_retired_for_one_type_and_keeps_what_waits_of_another() throws SQLException {
        tables().handler("*", "audit", false);
        tables().handler("order.placed", "audit", false);
        UUID kept = tables().waiting("order.placed", "1", "audit");
        tables().waiting("order.shipped", "2", "audit");

        assertThat(operator().drop(drop("audit"))).isEqualTo(Outcome.HANDLER_IN_USE);
        assertThat(operator().drop(retiring("audit", "*"))).isEqualTo(dropped(1));
        assertThat(tables().texts(IN_USE)).containsExactly("audit of order.placed");
        assertThat(tables().ids("SELECT message_id AS found FROM outbox_delivery"))
                .containsExactly(kept);
        assertThat(tables().texts("SELECT target FROM outbox_audit WHERE action = 'retire'"))
                .containsExactly("handler audit for type *");
    }

    @Test
    default void a_handler_or_type_that_is_not_registered_changes_nothing() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "1", "old");
        tables().waiting("order.placed", "2", "?");
        Map<String, Integer> before = tables().counts();

        for (Drop unknown :
                List.of(drop("unheard-of"), retiring("unheard-of", null), retiring("old", "*"), retiring("?", null))) {
            assertThat(operator().preview(unknown)).as(unknown.toString()).isEqualTo(Outcome.NOTHING_TO_CHANGE);
            assertThat(operator().drop(unknown)).as(unknown.toString()).isEqualTo(Outcome.NOTHING_TO_CHANGE);
        }
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(tables().texts(IN_USE)).containsExactly("old of order.placed");
        assertThat(audit()).isEmpty();
    }

    @Test
    default void no_more_are_dropped_than_the_limit() throws SQLException {
        tables().handler("order.placed", "old", true);
        for (int i = 1; i <= 3; i++) {
            tables().waiting("order.placed", "" + i, "old");
        }

        assertThat(operator().drop(new Drop("old", false, null, 2, REASON))).isEqualTo(dropped(2));
        assertThat(tables().count("delivery")).isOne();
        assertThat(operator().drop(new Drop("old", false, null, 2, REASON))).isEqualTo(dropped(1));
        assertThat(audit()).hasSize(3);
    }
}
