package io.outboxed.internal.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.testkit.HandlerCall;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CallOrderTest {

    @Test
    void each_group_and_each_aggregate_has_its_own_order() {
        assertInOrder(
                done("Mailer.confirm", "Mailer", 7, 1),
                done("Mailer.confirm", "Mailer", 7, 3),
                done("Mailer.confirm", "Mailer", 8, 2),
                done("Warehouse.ship", "Warehouse", 7, 1),
                done("Warehouse.ship", "Warehouse", 7, 3));
    }

    @Test
    void the_handlers_of_a_group_may_be_called_with_one_event_in_any_order() {
        assertInOrder(
                done("Mailer.log", "Mailer", 7, 1),
                done("Mailer.confirm", "Mailer", 7, 1),
                done("Mailer.confirm", "Mailer", 7, 2),
                done("Mailer.log", "Mailer", 7, 2));
    }

    @Test
    void retries_before_a_later_event_are_in_order() {
        assertInOrder(
                failed("Mailer.confirm", "Mailer", 7, 1),
                failed("Mailer.confirm", "Mailer", 7, 1),
                done("Mailer.confirm", "Mailer", 7, 1),
                failed("Mailer.confirm", "Mailer", 7, 2),
                done("Mailer.confirm", "Mailer", 7, 3));
    }

    @Test
    void events_that_succeeded_in_their_turn_may_come_again() {
        assertInOrder(
                done("Mailer.confirm", "Mailer", 7, 1),
                done("Mailer.confirm", "Mailer", 7, 2),
                done("Mailer.confirm", "Mailer", 7, 3),
                done("Mailer.confirm", "Mailer", 7, 2),
                failed("Mailer.confirm", "Mailer", 7, 3),
                done("Mailer.confirm", "Mailer", 7, 3));
    }

    @Test
    void an_older_event_after_a_newer_one_is_named_with_both_handlers_and_the_calls_before() {
        assertThatThrownBy(() -> CallOrder.verify(List.of(
                        done("Warehouse.ship", "Warehouse", 7, 9),
                        done("Mailer.confirm", "Mailer", 7, 1),
                        failed("Mailer.cancel", "Mailer", 7, 3),
                        done("Mailer.confirm", "Mailer", 7, 2))))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Mailer.confirm was called with order.placed " + id(2)
                        + " after Mailer.cancel had been called with order.placed " + id(3)
                        + ", a later event of the same aggregate o-7 (handler group Mailer). If their transactions ran"
                        + " at the same time, let them wait for each other: with a version, a lock, or"
                        + " @Outboxed(serialize = true). Calls of the group with this aggregate:\n"
                        + "  Mailer.confirm with order.placed " + id(1) + ", attempt 1\n"
                        + "  Mailer.cancel with order.placed " + id(3) + ", attempt 1, failed\n"
                        + "  Mailer.confirm with order.placed " + id(2) + ", attempt 1\n");
    }

    @Test
    void a_retry_after_a_later_event_is_out_of_order() {
        assertThatThrownBy(() -> CallOrder.verify(List.of(
                        failed("Mailer.confirm", "Mailer", 7, 1),
                        done("Mailer.confirm", "Mailer", 7, 2),
                        done("Mailer.confirm", "Mailer", 7, 1))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("order.placed " + id(1));
    }

    @Test
    void another_handler_of_the_group_may_not_be_late_although_one_has_succeeded() {
        assertThatThrownBy(() -> CallOrder.verify(List.of(
                        done("Mailer.log", "Mailer", 7, 1),
                        done("Mailer.log", "Mailer", 7, 2),
                        done("Mailer.confirm", "Mailer", 7, 1))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Mailer.confirm was called with order.placed " + id(1));
    }

    private static void assertInOrder(CallOrder.Observed... calls) {
        assertThatCode(() -> CallOrder.verify(List.of(calls))).doesNotThrowAnyException();
    }

    private static CallOrder.Observed done(String handler, String group, long lane, long seq) {
        return observed(handler, group, lane, seq, null);
    }

    private static CallOrder.Observed failed(String handler, String group, long lane, long seq) {
        return observed(handler, group, lane, seq, new IllegalStateException("no"));
    }

    private static CallOrder.Observed observed(String handler, String group, long lane, long seq, Throwable failure) {
        HandlerCall call = new HandlerCall(id(seq), "order.placed", "o-" + lane, handler, 1, failure);
        return new CallOrder.Observed(call, new CallOrder.Sequence(group, lane), seq);
    }

    private static UUID id(long seq) {
        return new UUID(0, seq);
    }
}
