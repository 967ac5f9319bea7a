package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** As many calls of a handler hang as it gets workers. What else is there to call must not wait for them. */
@ExtendWith(SilentLog.class)
class SaturatedHandlerTest {
    private static final int SHARE = 64;
    private static final Duration DEFER_DELAY = Duration.ofSeconds(5);
    private static final String OTHER_TYPE = "shipped";
    private static final String SHIP = "Shipper.ship";
    private static final OutboxConfig.Retry RETRY =
            new OutboxConfig.Retry(5, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false);

    private final LoneRelay node = new LoneRelay(
                    RETRY,
                    Map.of(
                            new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(OTHER_TYPE, SHIP), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);

    @Test
    void an_event_is_called_for_its_other_handlers() {
        hang(SHARE);
        becomesSaturated();

        node.publish(1);
        node.turns();

        assertThat(called(LoneRelay.MAIL)).containsExactly(1L);
    }

    @Test
    void before_that_an_event_is_called_first_for_a_handler_that_has_a_free_worker() {
        hang(SHARE);

        node.publish(1);
        node.turns();

        assertThat(drain()).extracting(Call::handler).containsExactly(LoneRelay.MAIL);
    }

    @Test
    void if_no_handler_has_a_free_worker_an_event_is_called_for_the_usual_one_first() {
        List<Call> audits = hang(SHARE);
        hangBoth();
        node.publish(1);
        node.turns();

        node.succeeds(audits.get(0));

        assertThat(called(LoneRelay.AUDIT)).containsExactly(1L);
    }

    @Test
    void events_that_are_queued_for_it_are_called_for_their_other_handlers() {
        hang(SHARE);
        List<Call> mails = hangBoth();
        LongStream.range(1, 10).forEach(node::publish);
        node.turns();
        mails.forEach(node::succeeds);
        assertThat(called(LoneRelay.MAIL)).isEmpty();

        becomesSaturated();

        assertThat(called(LoneRelay.MAIL)).hasSize(9);
    }

    @Test
    void later_events_of_their_aggregates_are_called_for_their_other_handlers() {
        hang(SHARE);
        becomesSaturated();
        node.publish(1);
        node.publish(1);
        node.turns();

        node.succeeds(node.calls.poll());

        assertThat(called(LoneRelay.MAIL)).containsExactly(1L);
    }

    @Test
    void a_handler_that_becomes_saturated_while_an_earlier_one_runs_is_not_queued() {
        List<Call> audits = hang(SHARE);
        audits.forEach(node::succeeds);
        assertThat(called(LoneRelay.MAIL)).as("they hang").hasSize(SHARE);
        node.publish(1);
        node.publish(1);
        node.turns();
        Call audit = node.calls.poll();
        becomesSaturated();

        node.succeeds(audit);

        assertThat(called(LoneRelay.AUDIT)).as("of the next event").containsExactly(1L);
    }

    @Test
    void events_of_other_types_are_called_behind_any_number_of_its_own() {
        hang(SHARE);
        LongStream.range(10_000, 13_000).forEach(node::publish);
        for (int i = 0; i < 20; i++) {
            node.pass(Duration.ofMillis(500));
            drain();
        }

        node.publish(1, OTHER_TYPE);
        node.turns();

        assertThat(called(SHIP)).containsExactly(1L);
    }

    @Test
    void no_more_of_its_deliveries_are_queued_than_its_workers_can_take_next() {
        hang(SHARE);
        LongStream.range(10_000, 10_500).forEach(node::publish);
        List<Call> others = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            node.pass(Duration.ofMillis(500));
            for (Call call = node.calls.poll(); call != null; call = node.calls.poll()) {
                node.succeeds(call);
                others.add(call);
            }
        }

        assertThat(others)
                .extracting(Call::handler)
                .containsOnly(LoneRelay.MAIL)
                .hasSize(500);
        assertThat(node.calls.load()).isEqualTo(2 * SHARE);
    }

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

    @Test
    void a_handler_whose_calls_keep_ending_is_not_held_back() {
        hang(SHARE - 1);
        for (int i = 0; i < 10; i++) {
            drain();
            node.publish(3 + i);
            node.pass(Duration.ofSeconds(1));
        }

        assertThat(node.store.waitRows()).isZero();
    }

    /** @return this many calls of the first handler, each in an aggregate of its own */
    private List<Call> hang(int count) {
        LongStream.range(1_000, 1_000 + count).forEach(node::publish);
        node.turns();
        List<Call> hung = node.called();
        assertThat(hung).hasSize(count).allMatch(call -> call.handler().equals(LoneRelay.AUDIT));
        return hung;
    }

    /** @return calls of the second handler, which hang while those of the first one do */
    private List<Call> hangBoth() {
        LongStream.range(5_000, 5_000 + SHARE).forEach(node::publish);
        node.turns();
        List<Call> hung = node.called();
        assertThat(hung).hasSize(SHARE).allMatch(call -> call.handler().equals(LoneRelay.MAIL));
        return hung;
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

    private void becomesSaturated() {
        node.pass(Duration.ofSeconds(1));
        node.pass(Duration.ofSeconds(2));
    }

    private List<Call> drain() {
        List<Call> ended = new ArrayList<>();
        for (Call call = node.calls.poll(); call != null; call = node.calls.poll()) {
            ended.add(call);
            node.succeeds(call);
        }
        return ended;
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

    private List<Long> called(String handler) {
        return node.called().stream()
                .filter(call -> call.handler().equals(handler))
                .map(call -> call.delivery().head().lane())
                .toList();
    }
}
