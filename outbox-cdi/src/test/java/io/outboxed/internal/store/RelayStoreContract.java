package io.outboxed.internal.store;

import static io.outboxed.internal.store.Head.Status.PARKED;
import static io.outboxed.internal.store.Head.Status.SPLIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.store.StoreBench.Delivery;
import io.outboxed.internal.store.StoreBench.Draft;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a relay relies on, whatever holds the rows. */
abstract class RelayStoreContract {
    static final long HOUR = 3_600_000_000L;
    static final int SHARD = 7;
    static final long LANE = 7;

    StoreBench bench;
    RelayStore store;
    Lease lease;

    abstract StoreBench open() throws Exception;

    abstract void close(StoreBench opened) throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        bench = open();
        store = bench.store();
        lease = takeShard(SHARD, "me");
    }

    @AfterEach
    final void closeStore() throws Exception {
        close(bench);
    }

    Lease takeShard(int shard, String owner) {
        ShardOwner observed = store.shards().get(shard);
        return new Lease(shard, owner, store.take(observed, owner).orElseThrow());
    }

    Head publish() {
        return bench.publish(Draft.inLane(LANE));
    }

    void decide(Decision... decisions) {
        store.decide(lease, List.of(decisions));
    }

    static Decision judge(Head head, Verdict... verdicts) {
        return new Decision.Judge(head, List.of(verdicts));
    }

    static Verdict retry(String handler, long delay) {
        return new Verdict.Retry(handler, 1, "boom", delay);
    }

    static Verdict dead(String handler) {
        return new Verdict.Dead(handler, 3, "boom");
    }

    static Verdict blocked(String handler) {
        return new Verdict.Blocked(handler, 3, "boom");
    }

    static Settled settled(Head head, String handler, Settlement how) {
        return new Settled(head, handler, how);
    }

    WaitingLane laneOf(String handler) {
        return new WaitingLane(LANE, SHARD, handler);
    }

    List<String> dueHandlers() {
        return store.due(List.of(SHARD), 100).stream().map(WaitingLane::handler).toList();
    }

    List<Head> ready() {
        return store.ready(List.of(new Window(SHARD, 0, 100)));
    }

    /** As the row is now. */
    Head split(String handler) {
        return store.waiting(LANE, handler, 10).get(0).head();
    }

    // ---- nodes and shards ----

    @Test
    void a_node_beats_until_it_is_declared_dead() {
        store.join("a", "host-a", 4);
        assertThat(store.beat("a")).isTrue();
        NodeBeat seen = store.nodes().get(0);
        assertThat(seen).isEqualTo(new NodeBeat("a", "host-a", 4, 1));

        assertThat(store.beat("a")).isTrue();
        assertThat(store.declareDead(seen)).as("it has beaten since").isFalse();
        NodeBeat later = store.nodes().get(0);
        assertThat(store.declareDead(later)).isTrue();
        assertThat(store.declareDead(later)).as("only one node declares it").isFalse();

        assertThat(store.beat("a")).isFalse();
        assertThat(store.nodes()).isEmpty();
    }

    @Test
    void a_node_that_left_beats_no_more() {
        store.join("a", "host-a", 1);
        store.leave("a");
        assertThat(store.nodes()).isEmpty();
        assertThat(store.beat("a")).isFalse();
    }

    @Test
    void a_shard_is_taken_once_as_observed() {
        assertThat(store.shards()).hasSize(64);
        ShardOwner observed = store.shards().get(3);
        OptionalLong epoch = store.take(observed, "a");
        assertThat(epoch).hasValue(observed.epoch() + 1);
        assertThat(store.take(observed, "b")).isEmpty();
        assertThat(store.shards().get(3)).isEqualTo(new ShardOwner(3, "a", observed.epoch() + 1));
    }

    @Test
    void a_shard_is_handed_over_and_released_only_by_its_holder() {
        assertThat(store.handOver(lease, "other")).isTrue();
        assertThat(store.handOver(lease, "third")).isFalse();
        Lease others = new Lease(SHARD, "other", lease.epoch() + 1);
        Lease second = takeShard(8, "other");
        store.release(List.of(lease, others, second));
        assertThat(store.shards().get(SHARD)).isEqualTo(new ShardOwner(SHARD, null, others.epoch() + 1));
        assertThat(store.shards().get(8)).isEqualTo(new ShardOwner(8, null, second.epoch() + 1));
    }

    // ---- handlers ----

    @Test
    void the_registry_grows_only_with_new_handlers() {
        long version = store.registry().version();
        HandlerKey ship = new HandlerKey("order.placed", "Warehouse.ship");
        HandlerKey mail = new HandlerKey("order.placed", "Mail.send");
        assertThat(store.register(List.of(ship, mail, ship))).isEqualTo(version + 1);
        assertThat(store.register(List.of(ship))).isEqualTo(version + 1);
        assertThat(store.register(List.of(mail, new HandlerKey("order.gone", "Mail.send"))))
                .isEqualTo(version + 2);
        Registry registry = store.registry();
        assertThat(registry.version()).isEqualTo(version + 2);
        assertThat(registry.of("order.placed")).containsExactly("Mail.send", "Warehouse.ship");
        assertThat(registry.of("order.gone")).containsExactly("Mail.send");
        assertThat(registry.of("never.seen")).isEmpty();
    }

    // ---- reading ----

    @Test
    void ready_rows_are_read_above_the_mark_in_order_over_several_shards() {
        Head first = publish();
        Head other = bench.publish(Draft.inLane(8));
        Head second = publish();
        Head third = publish();
        assertThat(first.version()).isZero();
        assertThat(first.shard()).isEqualTo(SHARD);
        assertThat(store.ready(List.of(new Window(8, 0, 10), new Window(SHARD, first.seq(), 1))))
                .containsExactly(other, second);
        assertThat(ready()).containsExactly(first, second, third);
        assertThat(store.ready(List.of())).isEmpty();
        assertThat(store.highest(SHARD)).isEqualTo(third.seq());
        assertThat(store.highest(9)).isZero();
    }

    @Test
    void a_delayed_row_says_so_until_the_delay_has_passed() {
        assertThat(bench.publish(Draft.inLane(LANE).delay(HOUR)).delayed()).isTrue();
        assertThat(bench.publish(Draft.inLane(LANE)).delayed()).isFalse();
    }

    @Test
    void bodies_come_with_exact_text() {
        String text = "{\"n\":12345678901234567890.12345678901234567890,\"t\":\"a\\u0000\u00e9\u4e2d\uD83D\uDE00 \"}";
        Head head = bench.publish(Draft.inLane(LANE).payload(text));
        assertThat(store.bodies(List.of(head.seq(), head.seq() + 1000)))
                .singleElement()
                .satisfies(body -> {
                    assertThat(body.text()).isEqualTo(text);
                    assertThat(body.bytes()).isNull();
                    assertThat(body.id()).isEqualTo(head.id());
                });
        assertThat(store.bodies(List.of())).isEmpty();
    }

    // ---- facts inside the handler's transaction ----

    @Test
    void a_delivery_marks_first_and_settles_the_marked_row_last() {
        Head head = publish();
        try (Delivery delivery = bench.begin()) {
            delivery.mark(head);
            delivery.settle(head, "A", Settlement.LAST);
            delivery.commit();
        }
        assertThat(bench.messageRows()).isZero();
    }

    @Test
    void a_rolled_back_delivery_leaves_the_row_as_it_was() {
        Head head = publish();
        try (Delivery delivery = bench.begin()) {
            delivery.mark(head);
            delivery.settle(head, "A", Settlement.DONE);
            delivery.rollback();
        }
        assertThat(ready()).containsExactly(head);
        assertThat(store.done(List.of(head.id()))).isEmpty();
    }

    @Test
    void a_row_settled_elsewhere_cannot_be_marked() {
        Head head = publish();
        store.settle(List.of(settled(head, "A", Settlement.DONE)));
        try (Delivery delivery = bench.begin()) {
            assertThatExceptionOfType(LostMarkException.class).isThrownBy(() -> delivery.mark(head));
        }
    }

    @Test
    void settling_without_the_mark_is_refused_in_every_kind() {
        Head whole = publish();
        Head split = publish();
        decide(judge(split, retry("A", 0), retry("B", 0)));
        Head waiting = split("A");
        for (Settlement how : List.of(Settlement.LAST, Settlement.DONE)) {
            try (Delivery delivery = bench.begin()) {
                assertThatExceptionOfType(LostMarkException.class)
                        .as("%s", how)
                        .isThrownBy(() -> delivery.settle(whole, "A", how));
            }
        }
        for (Settlement how : List.of(Settlement.WAITING, Settlement.LAST_WAITING)) {
            try (Delivery delivery = bench.begin()) {
                assertThatExceptionOfType(LostMarkException.class)
                        .as("%s", how)
                        .isThrownBy(() -> delivery.settle(waiting, "A", how));
            }
        }
        assertThat(bench.deliveryRows()).isEqualTo(2);
    }

    @Test
    void handlers_one_after_the_other_leave_done_rows_that_go_with_the_last() {
        Head head = publish();
        deliver(head, "A", Settlement.DONE);
        Head after = ready().get(0);
        assertThat(after.version()).isEqualTo(head.version() + 2);
        assertThat(store.done(List.of(head.id()))).isEqualTo(Map.of(head.id(), Set.of("A")));
        deliver(after, "B", Settlement.LAST);
        assertThat(bench.messageRows()).isZero();
        assertThat(bench.deliveryRows()).isZero();
    }

    @Test
    void the_last_waiting_delivery_takes_the_message_along() {
        Head head = publish();
        decide(judge(head, retry("A", 0), retry("B", 0)));
        Waiting first = store.waiting(LANE, "A", 10).get(0);
        assertThat(first.last()).isFalse();
        assertThat(first.head().status()).isEqualTo(SPLIT);
        deliver(first.head(), "A", Settlement.WAITING);
        Waiting second = store.waiting(LANE, "B", 10).get(0);
        assertThat(second.last()).isTrue();
        deliver(second.head(), "B", Settlement.LAST_WAITING);
        assertThat(bench.messageRows()).isZero();
        assertThat(bench.deliveryRows()).isZero();
    }

    @Test
    void a_delivery_that_was_not_known_to_be_the_last_takes_the_message_along_too() {
        Head head = publish();
        decide(judge(head, retry("A", 0), retry("B", 0)));
        deliver(split("A"), "A", Settlement.WAITING);
        deliver(split("B"), "B", Settlement.WAITING);
        assertThat(bench.messageRows()).isZero();

        Head next = publish();
        decide(judge(next, retry("A", 0), retry("B", 0)));
        Head read = split("A");
        store.settle(List.of(settled(read, "A", Settlement.WAITING), settled(read, "B", Settlement.WAITING)));
        assertThat(bench.messageRows()).isZero();
    }

    void deliver(Head head, String handler, Settlement how) {
        try (Delivery delivery = bench.begin()) {
            delivery.mark(head);
            delivery.settle(head, handler, how);
            delivery.commit();
        }
    }

    // ---- facts outside ----

    @Test
    void a_batch_of_successes_is_recorded_and_may_be_repeated() {
        List<Head> heads = IntStream.range(0, 20).mapToObj(i -> publish()).toList();
        Head split = publish();
        decide(judge(split, retry("A", 0), retry("B", 0)));
        List<Settled> batch = List.of(
                settled(heads.get(0), "A", Settlement.LAST),
                settled(heads.get(1), "A", Settlement.DONE),
                settled(heads.get(2), "A", Settlement.DONE),
                settled(heads.get(2), "B", Settlement.LAST),
                settled(split("A"), "A", Settlement.WAITING));
        store.settle(batch);
        store.settle(batch);
        assertThat(ready())
                .extracting(Head::seq)
                .doesNotContain(heads.get(0).seq(), heads.get(2).seq());
        assertThat(ready()).hasSize(18);
        assertThat(ready().get(0).version()).isPositive();
        assertThat(store.done(List.of(heads.get(1).id(), heads.get(2).id())))
                .isEqualTo(Map.of(heads.get(1).id(), Set.of("A")));
        assertThat(store.waiting(LANE, "A", 10)).isEmpty();
        assertThat(store.waiting(LANE, "B", 10)).hasSize(1);

        store.settle(ready().stream()
                .map(head -> settled(head, "B", Settlement.LAST))
                .toList());
        store.settle(List.of(settled(split, "B", Settlement.LAST_WAITING)));
        assertThat(bench.messageRows()).isZero();
        assertThat(bench.deliveryRows()).isZero();
    }

    @Test
    void a_late_fact_of_a_zombie_neither_revives_nor_leaks() {
        Head gone = publish();
        store.settle(List.of(settled(gone, "A", Settlement.LAST)));
        for (Settlement how : Settlement.values()) {
            store.settle(List.of(settled(gone, "B", how)));
        }
        assertThat(bench.messageRows()).isZero();
        assertThat(bench.deliveryRows()).isZero();

        Head split = publish();
        decide(judge(split, retry("B", 0), retry("C", 0)));
        store.settle(List.of(settled(split, "A", Settlement.DONE)));
        assertThat(bench.deliveryRows())
                .as("no done row beside a split message")
                .isEqualTo(2);
        store.settle(List.of(settled(split, "B", Settlement.LAST)));
        assertThat(store.waiting(LANE, "C", 10))
                .as("C was not the zombie's to end")
                .hasSize(1);
        store.settle(List.of(settled(split, "C", Settlement.LAST)));
        assertThat(bench.messageRows()).isZero();
        assertThat(bench.deliveryRows()).isZero();
    }

    @Test
    void a_fact_about_another_message_with_the_same_number_changes_nothing() {
        Head head = publish();
        Head older =
                new Head(head.seq(), UUID.randomUUID(), SHARD, LANE, head.type(), head.status(), 0, 0, 0, 0, false);
        for (Settlement how : Settlement.values()) {
            store.settle(List.of(settled(older, "A", how)));
        }
        decide(judge(older, retry("A", 0)), new Decision.Park(LANE, List.of(older)));
        assertThat(store.start(lease, List.of(older))).isEmpty();
        try (Delivery delivery = bench.begin()) {
            assertThatExceptionOfType(LostMarkException.class).isThrownBy(() -> delivery.mark(older));
        }
        assertThat(ready()).containsExactly(head);
        assertThat(bench.deliveryRows()).isZero();
    }

    // ---- decisions ----

    @Test
    void who_lost_the_lease_decides_nothing() {
        Head head = publish();
        takeShard(SHARD, "other");
        assertThatThrownBy(() -> decide(judge(head, dead("A")))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> store.clear(lease, laneOf("A"))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> store.start(lease, List.of(head))).isInstanceOf(LeaseLostException.class);
        assertThat(ready()).containsExactly(head);
        assertThat(bench.deadLetters()).isEmpty();
    }

    @Test
    void a_failed_handler_waits_and_the_others_are_done() {
        Head head = publish();
        deliver(head, "A", Settlement.DONE);
        decide(judge(ready().get(0), retry("B", HOUR)));
        assertThat(ready()).isEmpty();
        assertThat(store.lane(LANE, 10)).isEmpty();
        assertThat(store.waits(List.of(LANE, 99L))).isEqualTo(Map.of(LANE, Set.of("B")));
        assertThat(store.waitingShards(List.of(SHARD, 8))).containsExactly(SHARD);
        assertThat(dueHandlers()).isEmpty();
        assertThat(bench.deliveryRows()).as("the done row has gone").isEqualTo(1);
        Waiting waiting = store.waiting(LANE, "B", 10).get(0);
        assertThat(waiting.attempts()).isEqualTo(1);
        assertThat(waiting.last()).isTrue();
        assertThat(waiting.head().id()).isEqualTo(head.id());
        assertThat(store.highest(SHARD)).isEqualTo(head.seq());
    }

    @Test
    void a_verdict_loses_against_a_recorded_success() {
        Head head = publish();
        store.settle(List.of(settled(head, "A", Settlement.DONE)));
        decide(judge(head, dead("A"), retry("B", 0)));
        assertThat(bench.deadLetters()).isEmpty();
        Head split = split("B");
        store.settle(List.of(settled(split, "B", Settlement.WAITING)));
        decide(judge(split, retry("B", 0)));
        assertThat(bench.messageRows()).isZero();
        assertThat(bench.deliveryRows()).isZero();
    }

    @Test
    void judging_a_message_without_verdicts_ends_it() {
        Head head = publish();
        store.settle(List.of(settled(head, "A", Settlement.DONE)));
        decide(judge(head));
        decide(judge(head));
        assertThat(bench.messageRows()).isZero();
        assertThat(bench.deliveryRows()).isZero();
    }

    @Test
    void a_decision_may_be_repeated() {
        Head head = publish();
        Decision decision = judge(head, retry("A", 0), dead("B"), blocked("C"));
        decide(decision);
        decide(decision);
        assertThat(bench.deadLetters()).extracting(DeadLetterRow::handler).containsExactlyInAnyOrder("B", "C");
        assertThat(bench.deliveryRows()).isEqualTo(2);
        assertThat(store.waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("A", "C")));
    }

    @Test
    void the_lane_row_belongs_to_the_first_waiting_message() {
        Head first = publish();
        Head second = publish();
        decide(judge(first, retry("A", HOUR)));
        decide(judge(second, retry("A", 0)));
        assertThat(dueHandlers())
                .as("the later message must not wake the first")
                .isEmpty();
        decide(judge(split("A"), retry("A", 0)));
        assertThat(dueHandlers()).containsExactly("A");
        assertThat(store.waiting(LANE, "A", 10))
                .extracting(waiting -> waiting.head().seq())
                .containsExactly(first.seq(), second.seq());
        decide(judge(split("A"), retry("A", HOUR)));
        assertThat(dueHandlers()).isEmpty();
    }

    @Test
    void a_blocked_lane_stays_blocked_behind_its_first_message() {
        Head first = publish();
        Head second = publish();
        decide(judge(first, blocked("A")));
        decide(judge(second, retry("A", 0)));
        decide(new Decision.Postpone(laneOf("A"), 0));
        assertThat(dueHandlers()).isEmpty();
        assertThat(store.waiting(LANE, "A", 10)).isEmpty();
        assertThat(store.clear(lease, laneOf("A"))).isFalse();
        assertThat(bench.deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.handler()).isEqualTo("A");
            assertThat(letter.messageId()).isEqualTo(first.id());
            assertThat(letter.blocked()).isTrue();
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.error()).isEqualTo("boom");
        });
    }

    @Test
    void a_message_that_is_dead_for_one_handler_lives_on_for_the_other() {
        Head first = publish();
        Head second = publish();
        decide(judge(first, retry("A", HOUR), retry("B", HOUR)));
        decide(judge(second, retry("A", 0)));
        decide(judge(split("A"), dead("A")));
        assertThat(dueHandlers()).as("the next of A's lane goes on").containsExactly("A");
        assertThat(store.waiting(LANE, "A", 10))
                .singleElement()
                .satisfies(waiting -> assertThat(waiting.head().seq()).isEqualTo(second.seq()));
        Waiting other = store.waiting(LANE, "B", 10).get(0);
        assertThat(other.last()).isTrue();
        decide(judge(other.head(), dead("B")));
        assertThat(bench.messageRows()).isEqualTo(1);
        assertThat(bench.deadLetters()).hasSize(2);
    }

    @Test
    void a_parked_lane_is_read_in_order_until_it_is_empty() {
        Head first = publish();
        Head second = publish();
        Head third = publish();
        decide(new Decision.Park(LANE, List.of(second, first)));
        decide(new Decision.Park(LANE, List.of(second, first)));
        assertThat(ready()).containsExactly(third);
        assertThat(dueHandlers()).containsExactly(WaitingLane.WHOLE);
        List<Head> rows = store.lane(LANE, 10);
        assertThat(rows).extracting(Head::seq).containsExactly(first.seq(), second.seq(), third.seq());
        assertThat(rows).extracting(Head::status).startsWith(PARKED, PARKED);
        assertThat(rows.get(0).version()).isPositive();
        assertThat(store.lane(LANE, 2)).hasSize(2);
        assertThat(store.highest(SHARD)).isEqualTo(third.seq());

        assertThat(store.clear(lease, laneOf(WaitingLane.WHOLE))).isFalse();
        deliver(rows.get(0), "A", Settlement.LAST);
        decide(judge(rows.get(1), retry("A", 0)));
        assertThat(store.clear(lease, laneOf(WaitingLane.WHOLE)))
                .as("a split row is no parked one")
                .isTrue();
        assertThat(store.waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("A")));
        assertThat(ready()).containsExactly(third);
    }

    @Test
    void a_delayed_message_parks_until_its_delay_has_passed() {
        Head head = bench.publish(Draft.inLane(LANE).delay(HOUR));
        decide(new Decision.Park(LANE, List.of(head)));
        assertThat(ready()).isEmpty();
        assertThat(dueHandlers()).isEmpty();
        assertThat(store.waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of(WaitingLane.WHOLE)));
        decide(new Decision.Postpone(laneOf(WaitingLane.WHOLE), 0));
        assertThat(dueHandlers()).containsExactly(WaitingLane.WHOLE);
    }

    @Test
    void parking_rows_that_are_gone_leaves_no_lane_row() {
        Head head = publish();
        store.settle(List.of(settled(head, "A", Settlement.LAST)));
        decide(new Decision.Park(LANE, List.of(head)));
        assertThat(store.waits(List.of(LANE))).isEmpty();
    }

    @Test
    void a_lane_row_goes_when_no_delivery_of_its_kind_is_left() {
        Head head = publish();
        decide(judge(head, retry("A", 0), retry("B", 0)));
        assertThat(store.clear(lease, laneOf("A"))).isFalse();
        deliver(split("A"), "A", Settlement.WAITING);
        assertThat(store.clear(lease, laneOf("A"))).isTrue();
        assertThat(store.clear(lease, laneOf("A"))).isTrue();
        assertThat(store.waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("B")));
        Head next = publish();
        store.settle(List.of(settled(next, "A", Settlement.DONE)));
        assertThat(store.clear(lease, laneOf("A")))
                .as("a done row waits for nothing")
                .isTrue();
    }

    @Test
    void a_try_is_counted_before_the_call() {
        Head head = publish();
        decide(judge(head, retry("A", 0)));
        decide(new Decision.Count(split("A"), "A", 2));
        assertThat(store.waiting(LANE, "A", 10).get(0).attempts()).isEqualTo(2);
        store.settle(List.of(settled(split("A"), "A", Settlement.LAST_WAITING)));
        decide(new Decision.Count(head, "A", 3));
        assertThat(bench.deliveryRows()).isZero();
    }

    @Test
    void an_unknown_type_is_adopted_by_its_first_handlers() {
        Head head = publish();
        Head next = publish();
        decide(judge(head, retry(WaitingLane.UNKNOWN, 0)), judge(next, retry("A", HOUR)));
        Head waiting = split(WaitingLane.UNKNOWN);
        Decision adopt = new Decision.Adopt(waiting, List.of("B", "A"));
        decide(adopt);
        decide(adopt);
        assertThat(store.waiting(LANE, WaitingLane.UNKNOWN, 10)).isEmpty();
        assertThat(store.clear(lease, laneOf(WaitingLane.UNKNOWN))).isTrue();
        assertThat(dueHandlers()).containsExactlyInAnyOrder("A", "B");
        assertThat(store.waiting(LANE, "A", 10))
                .extracting(row -> row.head().seq())
                .containsExactly(head.seq(), next.seq());
        assertThat(store.waiting(LANE, "B", 10)).singleElement().satisfies(row -> {
            assertThat(row.attempts()).isZero();
            assertThat(row.last()).isFalse();
        });
    }

    @Test
    void suspects_are_counted_unless_their_row_has_changed() {
        Head first = publish();
        Head second = publish();
        Head third = publish();
        store.settle(List.of(settled(second, "A", Settlement.DONE), settled(third, "A", Settlement.LAST)));
        assertThat(store.start(lease, List.of(first, second, third))).containsExactly(first.id());
        Head counted = ready().get(0);
        assertThat(counted.starts()).isEqualTo(1);
        assertThat(counted.version()).isEqualTo(first.version() + 1);
        deliver(first.withVersion(first.version() + 1), "A", Settlement.LAST);
    }

    // ---- rows in the hands of a frozen transaction ----

    @Test
    void a_held_row_is_left_for_later_and_holds_up_nothing_else() {
        Head held = publish();
        Head free = publish();
        Head split = publish();
        decide(judge(split, retry("A", 0)));
        Head waiting = split("A");
        try (Delivery zombie = bench.begin();
                Delivery other = bench.begin()) {
            zombie.mark(held);
            other.mark(waiting);
            assertThat(store.start(lease, List.of(held, free))).containsExactly(free.id());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> decide(judge(held, retry("A", 0))))
                    .satisfies(e -> assertThat(e.isTransient() && e.isHeld()).isTrue());
            decide(new Decision.Park(LANE, List.of(held, free)), new Decision.Count(waiting, "A", 2));
            assertThat(ready()).containsExactly(held);
            assertThat(store.lane(LANE, 10)).extracting(Head::seq).containsExactly(held.seq(), free.seq());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.settle(
                            List.of(settled(held, "A", Settlement.LAST), settled(free, "A", Settlement.LAST))))
                    .satisfies(e -> assertThat(e.isTransient() && e.isHeld()).isTrue());
            assertThat(store.lane(LANE, 10)).as("the free row is settled").containsExactly(held);
            zombie.settle(held, "A", Settlement.LAST);
            zombie.commit();
        }
        assertThat(ready()).isEmpty();
    }

    // ---- bad text ----

    @Test
    void no_error_text_keeps_a_message_from_its_decision() {
        List<String> texts = Arrays.asList(
                "\0",
                "a\uD83Db",
                "\uDE00\uD83D",
                "x".repeat(100_000),
                "\uD83D\uDE00".repeat(50_000),
                "",
                null,
                "\u0007\u001b[0m");
        for (String text : texts) {
            Head head = publish();
            decide(judge(head, new Verdict.Dead("A", 1, text), new Verdict.Retry("B", 1, text, 0)));
        }
        assertThat(bench.deadLetters()).hasSize(texts.size());
        assertThat(store.waiting(LANE, "B", 100)).hasSize(texts.size());
        assertThat(bench.deadLetters())
                .extracting(DeadLetterRow::error)
                .contains(
                        "\uD83D\uDE00".repeat(2000),
                        "a\uFFFDb",
                        Collections.nCopies(1, "x".repeat(4000)).get(0));
    }
}
