package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two handler groups wait for the same messages. */
@ExtendWith(SilentLog.class)
class WaitingGroupsTest {
    private static final long LANE = 7;
    private static final Duration LATER = Duration.ofSeconds(10);
    private static final int AT_ONCE = 200;
    private static final List<String> TEN_HANDLERS =
            IntStream.range(0, 10).mapToObj(i -> "Handler" + i + ".on").toList();
    private static final List<String> THREE_HANDLERS = TEN_HANDLERS.subList(0, 3);

    private final LoneRelay node = relay(List.of(LoneRelay.MAIL, LoneRelay.AUDIT));

    @Test
    void while_one_of_them_has_the_message_the_page_of_the_other_is_not_queried_again_and_again() {
        failInBoth(1);
        node.pass(LATER);
        Call running = node.calls.poll();
        int before = node.statements.pagesOfWaiting;

        for (int i = 0; i < 100; i++) {
            node.pass(Duration.ofMillis(60));
        }

        assertThat(node.statements.pagesOfWaiting).isEqualTo(before);
        assertThat(node.calls.poll()).as("one call of a lane at a time").isNull();
        node.succeeds(running);
        node.pass(Duration.ofMillis(60));
        assertThat(node.calls.poll().handler()).isNotEqualTo(running.handler());
    }

    @Test
    void neither_starves_behind_a_long_backlog_of_the_other() {
        failInBoth(100);
        node.pass(LATER);

        List<String> called = succeedUntilEmpty(Duration.ofMillis(20));

        assertThat(called).hasSize(200);
        assertThat(called.subList(0, 10)).contains(LoneRelay.MAIL, LoneRelay.AUDIT);
    }

    /** Calls may be so slow that its node does not live until a page of the backlog is delivered. */
    @Test
    void a_retry_of_one_does_not_wait_behind_a_page_of_the_other() {
        leaveBacklogOfAudit();
        node.publish(LANE);
        node.turns();
        node.fails(node.calls.poll());
        node.store.resume(PauseTarget.handler(LoneRelay.AUDIT));
        node.pass(LATER.dividedBy(4));
        node.pass(LATER);

        List<String> called = succeedUntilEmpty(Duration.ofMillis(20));

        assertThat(called).hasSize(102).startsWith(LoneRelay.AUDIT, LoneRelay.MAIL, LoneRelay.AUDIT);
    }

    /** The other one has had one call when its first page is read. Each call lasts until what is due is read again. */
    @Test
    void one_that_follows_close_behind_the_other_falls_back_a_little_instead_of_reading_a_page_for_each_call() {
        failInBoth(100);
        node.pass(LATER);
        int before = node.statements.pagesOfWaiting;

        List<String> called = succeedUntilEmpty(Duration.ofMillis(60));

        assertThat(called).hasSize(200);
        assertThat(Collections.frequency(called.subList(0, 100), called.get(0))).isBetween(50, 60);
        assertThat(node.statements.pagesOfWaiting - before).isLessThan(30);
    }

    @Test
    void three_with_the_same_long_backlog_take_turns_of_a_few_calls() {
        LoneRelay node = relay(THREE_HANDLERS);
        node.store.pause(PauseTarget.type(LoneRelay.TYPE));
        node.pass(Duration.ofSeconds(1));
        LongStream.range(0, 100).forEach(i -> node.publish(LANE));
        node.pass(Duration.ofSeconds(3));
        node.store.resume(PauseTarget.type(LoneRelay.TYPE));

        List<String> called = succeedUntilEmpty(node, Duration.ofMillis(60));

        assertThat(called).hasSize(300);
        for (int i = 0; i < 250; i += 10) {
            assertThat(called.subList(i, i + 12)).as("from call %d on", i).containsAll(THREE_HANDLERS);
        }
    }

    @Test
    void meanwhile_its_retry_is_called_when_it_is_due() {
        failInBoth(100);
        node.pass(LATER);
        Call first = node.calls.poll();
        node.succeeds(first);
        node.pass(Duration.ofMillis(60));
        Call second = node.calls.poll();
        node.succeeds(second);
        Call behind = node.calls.poll();
        node.fails(behind);
        Call third = node.calls.poll();
        assertThat(List.of(second, third)).extracting(Call::handler).containsOnly(first.handler());
        node.pass(LATER);
        node.succeeds(third);

        Call next = node.calls.poll();

        assertThat(next.handler()).isEqualTo(behind.handler()).isNotEqualTo(first.handler());
        assertThat(next.delivery().head().seq())
                .isEqualTo(behind.delivery().head().seq());
    }

    private void leaveBacklogOfAudit() {
        node.store.pause(PauseTarget.handler(LoneRelay.AUDIT));
        node.pass(Duration.ofSeconds(3));
        for (int i = 0; i < 100; i++) {
            node.publish(LANE);
        }
        assertThat(node.calledWithin(Duration.ofSeconds(4), Duration.ofMillis(20)))
                .hasSize(100);
    }

    /** Of each aggregate in memory, nine groups wait behind the tenth, and all ten are due. */
    @Test
    void aggregates_that_wait_in_ten_groups_do_not_shut_out_the_others_while_their_calls_run() {
        LoneRelay node = relay(TEN_HANDLERS);
        node.store.pause(PauseTarget.type(LoneRelay.TYPE));
        node.pass(Duration.ofSeconds(1));
        LongStream.rangeClosed(1, 200).forEach(node::publish);
        node.pass(Duration.ofSeconds(3));
        assertThat(node.called()).isEmpty();
        node.store.resume(PauseTarget.type(LoneRelay.TYPE));

        Set<Long> called = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            node.pass(Duration.ofMillis(60));
            node.called().forEach(call -> called.add(call.delivery().head().lane()));
        }

        assertThat(called).hasSize(200);
    }

    @Test
    void nor_do_retries_of_another_aggregate_come_late_because_of_them() {
        LoneRelay node = relay(TEN_HANDLERS);
        LongStream.rangeClosed(1, 20).forEach(node::publish);
        Set<Long> hung = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            node.pass(Duration.ofMillis(100));
            for (Call call : node.called()) {
                if (call.delivery().attempt() == 1) {
                    node.fails(call);
                } else {
                    hung.add(call.delivery().head().lane());
                }
            }
        }
        assertThat(hung).as("a retry of each is called and does not end").hasSize(20);

        node.publish(100);
        node.turns();
        Call other = node.calls.poll();
        node.fails(other);
        for (Call next = node.calls.poll(); next != null; next = node.calls.poll()) {
            node.succeeds(next);
        }
        node.pass(LATER.dividedBy(2));
        node.pass(Duration.ofMillis(200));

        assertThat(node.called())
                .extracting(call -> call.delivery().head().lane(), Call::handler)
                .containsExactly(tuple(100L, other.handler()));
    }

    /** The row of an event is locked, so its failure can't be stored. Its aggregate is due in three other groups. */
    @Test
    void nor_because_of_aggregates_with_a_decision_that_cannot_be_stored_now() {
        LoneRelay node = relay(TEN_HANDLERS);
        LongStream.rangeClosed(1, 100).forEach(node::publish);
        passSecond(node, TEN_HANDLERS.subList(0, 1));
        LongStream.rangeClosed(1, 100).forEach(node::publish);
        passSecond(node, TEN_HANDLERS.subList(1, 4));
        node.publish(200);
        passSecond(node, TEN_HANDLERS.subList(0, 1));
        List<Call> retries = new ArrayList<>();
        while (retries.size() < 100) {
            node.pass(Duration.ofMillis(50));
            retries.addAll(node.called());
        }
        MemoryTransaction other = node.store.begin();
        retries.forEach(call -> other.claim(call.delivery().head()));
        retries.forEach(node::fails);

        Set<Long> called = new HashSet<>();
        IntStream.range(0, 3).forEach(i -> called.addAll(passSecond(node, List.of())));

        assertThat(called).contains(200L);
    }

    /** @return the aggregates of which events were called */
    private static Set<Long> passSecond(LoneRelay node, List<String> failing) {
        Set<Long> called = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            for (Call call : node.called()) {
                called.add(call.delivery().head().lane());
                if (failing.contains(call.handler())) {
                    node.fails(call);
                } else {
                    node.succeeds(call);
                }
            }
            node.pass(Duration.ofMillis(50));
        }
        return called;
    }

    /** Its delayed event was cancelled, so nothing is left of that wait. */
    @Test
    void an_event_waits_behind_the_one_of_its_group_although_a_wait_that_is_due_with_another_group_has_ended() {
        node.publish(LANE);
        end(LoneRelay.MAIL);
        node.pass(LATER.dividedBy(5));
        node.publish(LANE);
        end(LoneRelay.AUDIT);
        MessageHead delayed = node.publishDelayed(LANE, LATER.dividedBy(4));
        node.turns();
        node.cancel(delayed);
        node.later(LATER.dividedBy(3));
        node.turns();
        node.publish(LANE);
        node.turns();

        assertThat(end("")).hasSize(3).containsOnly(LoneRelay.MAIL);
    }

    /** @return the handlers that were called. The named one fails, the others succeed */
    private List<String> end(String failing) {
        List<String> called = new ArrayList<>();
        node.turns();
        for (Call call = node.calls.poll(); call != null; call = node.calls.poll()) {
            called.add(call.handler());
            if (call.handler().equals(failing)) {
                node.fails(call);
            } else {
                node.succeeds(call);
            }
        }
        return called;
    }

    /** @return the handlers in the order of their calls */
    private List<String> succeedUntilEmpty(Duration step) {
        return succeedUntilEmpty(node, step);
    }

    private static List<String> succeedUntilEmpty(LoneRelay node, Duration step) {
        List<String> called = new ArrayList<>();
        for (int i = 0; i < 1_000 && node.store.messages() > 0; i++) {
            Call call = node.calls.poll();
            if (call != null) {
                called.add(call.handler());
                node.succeeds(call);
            }
            node.pass(step);
        }
        return called;
    }

    /** The first event fails in both groups, so the others wait behind it. */
    private void failInBoth(int events) {
        for (int i = 0; i < events; i++) {
            node.publish(LANE);
        }
        int failed = 0;
        for (int i = 0; i < 1_000 && failed < 2; i++) {
            node.pass(Duration.ofMillis(20));
            Call call = node.calls.poll();
            if (call != null) {
                node.fails(call);
                failed++;
            }
        }
        for (int i = 0; i < 20; i++) {
            node.pass(Duration.ofMillis(20));
        }
        assertThat(node.calls.load()).isZero();
    }

    private static LoneRelay relay(List<String> names) {
        Map<HandlerKey, HandlerMode> handlers = new LinkedHashMap<>();
        names.forEach(name -> handlers.put(new HandlerKey(LoneRelay.TYPE, name), HandlerMode.TRANSACTIONAL));
        OutboxConfig.Retry later = new OutboxConfig.Retry(5, LATER.dividedBy(2), 1, LATER.dividedBy(2), false);
        return new LoneRelay(AT_ONCE, later, handlers).holdsAllShards(false);
    }
}
