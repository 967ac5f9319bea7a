package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.relay.workers.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** As many calls of a handler hang as it gets workers. What else is there to call must not wait for them. */
@ExtendWith(SilentLog.class)
class SaturatedHandlerTest extends SaturationFixture {
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
    void a_handler_whose_calls_keep_ending_is_not_held_back() {
        hang(SHARE - 1);
        for (int i = 0; i < 10; i++) {
            drain();
            node.publish(3 + i);
            node.pass(Duration.ofSeconds(1));
        }

        assertThat(node.store.waitRows()).isZero();
    }

    /** @return calls of the second handler, which hang while those of the first one do */
    private List<Call> hangBoth() {
        LongStream.range(5_000, 5_000 + SHARE).forEach(node::publish);
        node.turns();
        List<Call> hung = node.called();
        assertThat(hung).hasSize(SHARE).allMatch(call -> call.handler().equals(LoneRelay.MAIL));
        return hung;
    }
}
