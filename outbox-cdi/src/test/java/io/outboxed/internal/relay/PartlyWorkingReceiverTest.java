package io.outboxed.internal.relay;

import static io.outboxed.internal.relay.LoneRelay.MAIL;
import static io.outboxed.internal.relay.LoneRelay.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Handler;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.failure.ConsecutiveOccurrences;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A handler outside a transaction that fails for some aggregates: its successes are recorded later than they happen. */
class PartlyWorkingReceiverTest {
    private static final int DOWN_AFTER = 10;
    private static final long NEW_AGGREGATE = 99;
    private static final String OTHER = "shipped";

    private final LoneRelay node = relay(Map.of(new HandlerKey(TYPE, MAIL), HandlerMode.OUTSIDE));

    @Test
    void it_is_not_down_while_it_succeeds_for_others_before_any_of_this_is_recorded() {
        List<Call> calls = calls(3 * DOWN_AFTER);
        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < calls.size(); i++) {
                if (i % DOWN_AFTER == DOWN_AFTER - 1) {
                    node.succeedsUnrecorded(calls.get(i));
                } else {
                    node.fails(calls.get(i));
                }
            }
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0413"));
        }

        node.publish(NEW_AGGREGATE);
        node.turns();

        assertThat(node.called())
                .singleElement()
                .satisfies(call -> assertThat(call.delivery().head().lane()).isEqualTo(NEW_AGGREGATE));
    }

    @Test
    void a_success_that_is_recorded_after_later_failures_does_not_hide_them() throws InterruptedException {
        List<Call> calls = calls(1 + DOWN_AFTER);
        node.succeedsUnrecorded(calls.get(0));
        calls.subList(1, calls.size()).forEach(node::fails);

        try (CapturedLog log = new CapturedLog()) {
            node.recordsSuccesses();
            assertThat(node.store.messages()).isEqualTo(DOWN_AFTER);
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0414"));
        }
        node.publish(NEW_AGGREGATE);
        node.turns();

        assertThat(node.called()).as("it is down").isEmpty();
    }

    @Test
    void failures_behind_successes_that_are_recorded_late_count_when_they_happen() throws InterruptedException {
        List<Call> calls = calls(DOWN_AFTER + 1, 2);
        List<Call> others = calls.subList(1, calls.size());
        others.forEach(node::succeedsUnrecorded);
        try (CapturedLog log = new CapturedLog()) {
            others.forEach(first -> node.fails(first.next()));
            assertThat(log.lines).as("it is down").anyMatch(line -> line.contains("OUTBOX-0413"));
            node.succeedsUnrecorded(calls.get(0));
            assertThat(log.lines).as("and works").anyMatch(line -> line.contains("OUTBOX-0414"));
        }

        try (CapturedLog log = new CapturedLog()) {
            node.recordsSuccesses();
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0413"));
        }
        node.publish(NEW_AGGREGATE);
        node.turns();
        assertThat(node.called())
                .extracting(call -> call.delivery().head().lane())
                .as("it works again")
                .contains(NEW_AGGREGATE);
    }

    @Test
    void while_it_is_down_the_success_of_a_probe_ends_that_at_once() {
        calls(DOWN_AFTER).forEach(node::fails);
        node.publish(NEW_AGGREGATE);
        node.pass(Duration.ofSeconds(2));

        try (CapturedLog log = new CapturedLog()) {
            node.called().forEach(node::succeedsUnrecorded);
            assertThat(log.lines).anyMatch(line -> line.contains("OUTBOX-0414"));
        }
    }

    @Test
    void it_is_not_down_while_it_succeeds_for_another_type_and_its_own_transactions_end_unclear() {
        LoneRelay node = relay(Map.of(
                new HandlerKey(TYPE, MAIL), HandlerMode.TRANSACTIONAL,
                new HandlerKey(OTHER, MAIL), HandlerMode.OUTSIDE));
        LongStream.range(0, DOWN_AFTER).forEach(node::publish);
        node.turns();
        for (int i = 0; i < ConsecutiveOccurrences.TOLERATED; i++) {
            node.called().forEach(node::endsUnclear);
            node.pass(Duration.ofSeconds(1));
        }
        List<Call> calls = node.called();
        assertThat(calls).hasSize(DOWN_AFTER);
        for (Call call : calls) {
            node.endsUnclear(call);
            node.publish(NEW_AGGREGATE, OTHER);
            node.turns();
            node.called().forEach(node::succeedsUnrecorded);
        }

        node.publish(NEW_AGGREGATE + 1, OTHER);
        node.publish(NEW_AGGREGATE + 2, OTHER);
        node.turns();

        assertThat(node.called()).hasSize(2);
    }

    /** Otherwise it would be down for good: all later successes would seem to have been told. */
    @Test
    void an_error_while_a_success_is_told_leaves_it_to_the_next_one() {
        List<Call> calls = calls(DOWN_AFTER + 2);
        calls.subList(2, calls.size()).forEach(node::fails);
        node.worker.outOfMemory = true;
        assertThatThrownBy(() -> node.succeedsUnrecorded(calls.get(0))).isInstanceOf(OutOfMemoryError.class);

        try (CapturedLog log = new CapturedLog()) {
            node.succeedsUnrecorded(calls.get(1));
            assertThat(log.lines).anyMatch(line -> line.contains("OUTBOX-0414"));
        }
    }

    private static LoneRelay relay(Map<HandlerKey, HandlerMode> handlers) {
        Handler settings = new Handler(Duration.ofSeconds(30), DOWN_AFTER, Duration.ofSeconds(5), 128);
        return new LoneRelay(OutboxConfig.DEFAULTS.withHandler(settings), handlers, List.of()).holdsAllShards(false);
    }

    private List<Call> calls(int count) {
        return calls(count, 1);
    }

    /** @param each how many events of each aggregate follow each other */
    private List<Call> calls(int count, int each) {
        for (int i = 0; i < each; i++) {
            LongStream.range(0, count).forEach(node::publish);
        }
        node.turns();
        List<Call> calls = node.called();
        assertThat(calls).hasSize(count);
        return calls;
    }
}
