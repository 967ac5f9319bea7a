package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A type gets its first handlers: several at a time, for many waiting events, in a node whose memory is full. */
class AdoptionTest {
    private static final int LANE = 7;
    private static final String WAITING = "asked";
    private static final OutboxConfig.Retry ONE_ATTEMPT =
            new OutboxConfig.Retry(1, Duration.ofSeconds(1), 2, Duration.ofSeconds(1), false);

    private final Map<HandlerKey, HandlerMode> handlers = new LinkedHashMap<>();

    @ParameterizedTest
    @ValueSource(strings = {"Mailer.a Mailer.b Mailer.c Mailer.d", "Mailer.a Audit.b Bill.c Ship.d"})
    void four_transactional_handlers_of_an_event_lose_no_claim(String names) {
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, ONE_ATTEMPT, names.split(" "));
        wait(node, 2);
        register(node);

        List<String> called = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            node.pass(Duration.ofMillis(100));
            for (Call call : node.called()) {
                called.add(call.handler());
                assertThat(node.claims(call))
                        .as(call.handler() + " has the claim")
                        .isTrue();
            }
        }

        assertThat(called).hasSize(8).contains(names.split(" "));
        assertThat(node.store.messages()).isZero();
        assertThat(node.store.dead()).isEmpty();
    }

    @Test
    void nor_does_a_handler_after_the_dead_letter_of_another_one() {
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, ONE_ATTEMPT, "Mailer.a", "Mailer.b");
        wait(node, 1);
        register(node);
        node.pass(Duration.ofMillis(100));
        node.pass(Duration.ofMillis(100));

        node.fails(node.calls.poll());

        assertThat(node.store.dead()).hasSize(1);
        assertThat(node.claims(node.calls.poll())).isTrue();
        assertThat(node.store.messages()).isZero();
    }

    @Test
    void a_thousand_events_are_adopted_page_by_page_and_called_in_their_order() {
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, ONE_ATTEMPT, "Mailer.a");
        wait(node, 1_000);
        register(node);
        int before = node.statements.written;

        node.relay.iterate();
        assertThat(node.statements.written - before).isBetween(1, 128);

        long newest = node.publish(LANE, WAITING).seq();
        List<Long> called = new ArrayList<>();
        for (int i = 0; i < 2_000 && node.store.messages() > 0; i++) {
            node.pass(Duration.ofMillis(60));
            for (Call call : node.called()) {
                called.add(call.delivery().head().seq());
                node.succeeds(call);
            }
        }
        assertThat(called).hasSize(1_001).isSorted().endsWith(newest);
    }

    @Test
    void events_that_still_have_no_handler_do_not_hold_up_those_behind_them() {
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, ONE_ATTEMPT, "Mailer.a");
        for (int i = 0; i < 300; i++) {
            node.publish(LANE, "never handled");
        }
        wait(node, 300);
        register(node);

        List<Long> called = node.calledWithin(Duration.ofSeconds(36), Duration.ofMillis(60));
        assertThat(called).hasSize(300).isSorted();
        assertThat(node.store.messages()).isEqualTo(300);
        assertThat(node.relay.iterate()).as("it rests").isPositive();
    }

    @Test
    void a_failover_that_loses_a_registration_hides_no_later_one_that_gets_its_number() {
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, OutboxConfig.Retry.DEFAULTS, "Mailer.a");
        wait(node, 1);
        node.register(List.of(new HandlerRegistration("moved", "Mover.move", "Mover")));
        node.publish(LANE, WAITING);
        for (int i = 0; i < 100; i++) {
            node.pass(Duration.ofMillis(100));
        }
        assertThat(node.called()).isEmpty();

        node.store.loseRegistration("moved", "Mover.move");
        register(node);

        assertThat(node.calledWithin(Duration.ofSeconds(36), Duration.ofMillis(60)))
                .hasSize(2)
                .isSorted();
    }

    /** With lane claims, an aggregate without anything to call is given back at once. */
    @Test
    void nor_if_their_aggregate_is_claimed_for_them_alone() {
        handlers.put(new HandlerKey(WAITING, "Mailer.a"), HandlerMode.TRANSACTIONAL);
        LoneRelay node = LoneRelay.claimingLanes(64, OutboxConfig.Retry.DEFAULTS, handlers);
        node.store.retire(WAITING, "Mailer.a");
        node.holdsAllShards(false);
        for (int i = 0; i < 300; i++) {
            node.publish(LANE, "never handled");
        }
        wait(node, 2);
        node.pass(Duration.ofSeconds(10));
        register(node);

        assertThat(node.calledWithin(Duration.ofSeconds(36), Duration.ofMillis(60)))
                .hasSize(2);
    }

    @Test
    void while_the_room_for_waiting_messages_is_full_adoption_continues_and_the_loop_does_not_spin() {
        LoneRelay node = relayOf(withRoomFor(16), OutboxConfig.Retry.DEFAULTS, "Mailer.a");
        wait(node, 1);
        for (int i = 0; i < 32; i++) {
            node.publish(100, LoneRelay.TYPE);
        }
        node.pass(Duration.ofSeconds(1));
        node.called().forEach(node::fails);
        for (int i = 0; i < 20; i++) {
            node.pass(Duration.ofMillis(20));
        }
        node.pass(Duration.ofSeconds(10));
        assertThat(node.called())
                .as("the room is taken by the events behind a running call")
                .hasSize(1);
        node.register(SimulatedHandlers.registrations(handlers));

        node.publish(LANE, WAITING);
        node.turns();

        assertThat(node.relay.iterate()).as("it rests").isPositive();
        assertThat(node.store.reads().unadopted(LANE, 0, 10)).isEmpty();
    }

    @Test
    void events_behind_one_that_is_locked_are_not_called_before_it() {
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, OutboxConfig.Retry.DEFAULTS, "Mailer.a");
        wait(node, 3);
        MemoryTransaction other = node.store.begin();
        other.claim(node.store.reads().unadopted(LANE, 0, 1).get(0));
        register(node);
        node.pass(Duration.ofMillis(200));
        node.pass(Duration.ofMillis(200));
        assertThat(node.called()).isEmpty();

        other.rollback();
        assertThat(node.calledWithin(Duration.ofSeconds(3), Duration.ofMillis(100)))
                .hasSize(3)
                .isSorted();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void a_locked_message_is_adopted_once_it_is_free_and_the_loop_does_not_spin_until_then(int newer) {
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, OutboxConfig.Retry.DEFAULTS, "Mailer.a");
        wait(node, 1);
        node.statements.held = "write";
        register(node);
        for (int i = 0; i < newer; i++) {
            node.publish(LANE, WAITING);
        }
        for (int i = 0; i < 10; i++) {
            node.pass(Duration.ofMillis(100));
            assertThat(node.relay.iterate()).as("it rests").isPositive();
        }

        node.statements.held = "";
        node.pass(Duration.ofSeconds(1));
        node.pass(Duration.ofSeconds(1));
        List<Call> called = node.called();
        assertThat(called).hasSize(1);
        node.succeeds(called.get(0));
        assertThat(node.called()).hasSize(newer);
    }

    @Test
    void what_waits_behind_many_locked_messages_of_other_aggregates_is_read() {
        OutboxConfig.Retry late = new OutboxConfig.Retry(5, Duration.ofSeconds(30), 1, Duration.ofSeconds(30), false);
        LoneRelay node = relayOf(OutboxConfig.Relay.DEFAULTS, late, "Mailer.a");
        for (int lane = 1_000; lane < 1_200; lane++) {
            node.publish(lane, WAITING);
        }
        for (int i = 0; i < 50; i++) {
            node.pass(Duration.ofMillis(100));
        }
        node.publish(1, LoneRelay.TYPE);
        node.turns();
        node.called().forEach(node::fails);
        node.statements.held = "write";
        register(node);
        int before = node.statements.pagesOfWaiting;

        for (int i = 0; i < 60; i++) {
            node.pass(Duration.ofSeconds(1));
        }

        assertThat(node.statements.pagesOfWaiting).isGreaterThan(before);
    }

    @Test
    void nor_does_it_wait_behind_many_aggregates_whose_retries_run() {
        OutboxConfig.Retry late = new OutboxConfig.Retry(5, Duration.ofSeconds(30), 1, Duration.ofSeconds(30), false);
        handlers.put(new HandlerKey(WAITING, "Mailer.a"), HandlerMode.TRANSACTIONAL);
        Map<HandlerKey, HandlerMode> all = new LinkedHashMap<>(handlers);
        List<String> types = List.of("cancelled", LoneRelay.TYPE, "sent");
        types.forEach(type -> all.put(new HandlerKey(type, "Audit." + type), HandlerMode.TRANSACTIONAL));
        LoneRelay node = new LoneRelay(OutboxConfig.Relay.DEFAULTS, late, all, List.of());
        node.store.retire(WAITING, "Mailer.a");
        node.holdsAllShards(false);
        for (int lane = 1_000; lane < 1_100; lane++) {
            node.publish(lane, WAITING);
            node.publish(lane, types.get(lane % 2));
        }
        node.turns();
        node.called().forEach(node::fails);
        node.pass(Duration.ofSeconds(20));
        node.publish(1, "sent");
        node.turns();
        node.called().forEach(node::fails);
        int running = 0;
        for (int i = 0; i < 150; i++) {
            node.pass(Duration.ofMillis(100));
            running += node.called().size();
        }
        assertThat(running).as("retries that run").isEqualTo(100);
        register(node);

        List<Long> lanes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            node.pass(Duration.ofSeconds(1));
            node.called().forEach(call -> lanes.add(call.delivery().head().lane()));
        }
        assertThat(lanes).contains(1L);
    }

    private static OutboxConfig.Relay withRoomFor(int messages) {
        return OutboxConfig.Relay.DEFAULTS.withMaxInMemory(messages);
    }

    /** @param names of handlers of the type {@link #WAITING}, not registered yet */
    private LoneRelay relayOf(OutboxConfig.Relay limits, OutboxConfig.Retry retry, String... names) {
        for (String name : names) {
            handlers.put(new HandlerKey(WAITING, name), HandlerMode.TRANSACTIONAL);
        }
        Map<HandlerKey, HandlerMode> all = new LinkedHashMap<>(handlers);
        all.put(new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL);
        LoneRelay node = new LoneRelay(limits, retry, all, List.of());
        handlers.keySet().forEach(key -> node.store.retire(key.type(), key.handler()));
        return node.holdsAllShards(false);
    }

    /** So many events wait for the first handler of their type. */
    private static void wait(LoneRelay node, int events) {
        for (int i = 0; i < events; i++) {
            node.publish(LANE, WAITING);
        }
        while (!node.store.reads().ready(List.of(new ReadWindow(LANE, 0, 1))).isEmpty()) {
            node.pass(Duration.ofMillis(100));
        }
    }

    private void register(LoneRelay node) {
        node.register(SimulatedHandlers.registrations(handlers));
        node.later(Duration.ofSeconds(10));
    }
}
