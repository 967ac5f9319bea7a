package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.relay.workers.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls of a saturated handler end. What has waited for it is called, and the next standstill is noticed sooner. */
@ExtendWith(SilentLog.class)
class RecoveringHandlerTest extends SaturationFixture {
    private static final Duration DEFER_DELAY = Duration.ofSeconds(5);

    @Test
    void once_its_calls_end_it_gets_each_event_once_in_order_and_as_a_first_attempt() {
        List<Call> hung = hang(SHARE);
        becomesSaturated();
        for (long lane = 1; lane <= 5; lane++) {
            node.publish(lane);
            node.publish(lane);
        }
        node.turns();
        List<Call> all = new ArrayList<>(drain());
        hung.forEach(node::succeeds);
        for (int i = 0; i < 40; i++) {
            node.pass(Duration.ofMillis(500));
            all.addAll(drain());
        }

        List<Call> audits = all.stream()
                .filter(call -> call.handler().equals(LoneRelay.AUDIT))
                .toList();
        assertThat(audits).hasSize(10).allMatch(call -> call.delivery().attempt() == 1);
        for (long lane = 1; lane <= 5; lane++) {
            long each = lane;
            assertThat(audits)
                    .filteredOn(call -> call.delivery().head().lane() == each)
                    .extracting(call -> call.delivery().head().seq())
                    .hasSize(2)
                    .isSorted();
        }
        assertThat(node.store.messages() + node.store.waitRows()).isZero();
    }

    @Test
    void once_its_calls_end_nothing_that_waits_for_it_is_postponed() {
        List<Call> hung = hang(SHARE);
        LongStream.range(10_000, 10_500).forEach(node::publish);
        for (int i = 0; i < 20; i++) {
            node.pass(Duration.ofMillis(500));
            for (Call call = node.calls.poll(); call != null; call = node.calls.poll()) {
                assertThat(call.handler()).isEqualTo(LoneRelay.MAIL);
                node.succeeds(call);
            }
        }
        hung.forEach(node::succeeds);

        List<Call> all = new ArrayList<>();
        for (Duration left = DEFER_DELAY; !left.isNegative(); left = left.minusMillis(50)) {
            node.pass(Duration.ofMillis(50));
            all.addAll(drain());
        }

        assertThat(all)
                .filteredOn(call -> call.handler().equals(LoneRelay.AUDIT))
                .hasSize(500);
    }

    @Test
    void while_it_works_again_it_is_called_for_a_new_event_at_once() {
        List<Call> hung = hang(SHARE);
        becomesSaturated();
        hung.forEach(node::succeeds);
        drain();
        node.pass(Duration.ofSeconds(1));

        node.publish(1);
        node.turns();
        List<Call> all = new ArrayList<>(drain());
        node.pass(Duration.ofMillis(500));
        all.addAll(drain());

        assertThat(all).extracting(Call::handler).containsExactly(LoneRelay.MAIL, LoneRelay.AUDIT);
    }

    @Test
    void it_remains_saturated_while_the_next_calls_hang_too() {
        List<Call> hung = hang(SHARE);
        becomesSaturated();
        LongStream.range(2_000, 2_000 + SHARE).forEach(node::publish);
        node.turns();
        drain();
        hung.forEach(node::succeeds);
        drain();
        node.pass(Duration.ofSeconds(6));
        assertThat(called(LoneRelay.AUDIT)).as("they hang").hasSize(SHARE);

        node.publish(1);
        node.turns();

        assertThat(called(LoneRelay.MAIL)).containsExactly(1L);
    }

    @Test
    void when_its_next_calls_hang_too_events_behind_them_wait_for_a_fraction_of_a_second() {
        queueBehindCallsThatHangAgain();
        LongStream.range(2_000, 2_000 + 3 * SHARE).forEach(node::publish);
        node.turns();
        assertThat(called(LoneRelay.MAIL)).as("before it stands still").isEmpty();

        node.pass(Duration.ofMillis(100));
        node.pass(Duration.ofMillis(200));

        assertThat(called(LoneRelay.MAIL)).hasSize(SHARE);
    }

    @Test
    void what_waits_for_it_is_due_after_as_long_as_it_has_stood_still() {
        List<Call> hung = queueBehindCallsThatHangAgain();
        node.pass(Duration.ofMillis(100));
        node.pass(Duration.ofMillis(200));
        node.pass(Duration.ofMillis(250));
        hung.forEach(node::succeeds);

        List<Call> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            node.pass(Duration.ofMillis(50));
            all.addAll(drain());
        }

        assertThat(all)
                .filteredOn(call -> call.handler().equals(LoneRelay.AUDIT))
                .hasSize(2 * SHARE);
    }

    @Test
    void slow_calls_do_not_prolong_the_ten_seconds_in_which_a_fraction_of_a_second_is_a_standstill() {
        List<Call> slow = hang(SHARE);
        becomesSaturated();
        for (int i = 0; i < 25; i++) {
            slow.forEach(node::succeeds);
            LongStream.range(2_000, 2_000 + SHARE).forEach(node::publish);
            node.turns();
            slow = callsOfAudit();
            node.pass(Duration.ofMillis(100));
            node.pass(Duration.ofMillis(400));
        }
        slow.forEach(node::succeeds);
        drain();

        node.publish(1);
        node.turns();

        assertThat(called(LoneRelay.AUDIT)).containsExactly(1L);
    }

    @Test
    void once_its_calls_have_kept_ending_for_ten_seconds_an_event_is_called_for_it_without_a_waiting_row() {
        List<Call> hung = hang(SHARE);
        becomesSaturated();
        hung.forEach(node::succeeds);
        drain();
        node.pass(Duration.ofSeconds(11));

        node.publish(1);
        node.turns();

        assertThat(called(LoneRelay.AUDIT)).containsExactly(1L);
        assertThat(node.store.waitRows()).isZero();
    }

    /** @return the calls that hang after others did; twice as many are queued behind them */
    private List<Call> queueBehindCallsThatHangAgain() {
        List<Call> hung = hang(SHARE);
        becomesSaturated();
        LongStream.range(2_000, 2_000 + 3 * SHARE).forEach(node::publish);
        node.turns();
        drain();
        hung.forEach(node::succeeds);
        drain();
        for (int i = 0; i < 4; i++) {
            node.pass(Duration.ofSeconds(2));
        }
        List<Call> hungAgain = node.called();
        assertThat(hungAgain).hasSize(SHARE).allMatch(call -> call.handler().equals(LoneRelay.AUDIT));
        assertThat(node.calls.load()).isEqualTo(3 * SHARE);
        return hungAgain;
    }

    /** @return its calls; those of the other handler succeed */
    private List<Call> callsOfAudit() {
        List<Call> audits = new ArrayList<>();
        for (Call call = node.calls.poll(); call != null; call = node.calls.poll()) {
            if (call.handler().equals(LoneRelay.AUDIT)) {
                audits.add(call);
            } else {
                node.succeeds(call);
            }
        }
        return audits;
    }
}
