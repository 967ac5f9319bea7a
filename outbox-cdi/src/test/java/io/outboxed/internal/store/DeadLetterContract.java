package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters.Filter;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.retention.RetiredHandlers;
import io.outboxed.internal.store.StoreFixture.Delivery;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an operator does with dead letters. */
interface DeadLetterContract extends JdbcContract {

    @Test
    default void dead_letters_are_listed_page_by_page_the_newest_first() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            MessageHead head = publish();
            ids.add(head.id());
            write(resolve(head, dead("A"), dead("B")));
        }
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            List<DeadLetter> all = new ArrayList<>();
            DeadLetterKey after = null;
            for (List<DeadLetter> page; !(page = letters.find(Filter.all(), after, 3)).isEmpty(); ) {
                all.addAll(page);
                after = DeadLetterKey.of(page.get(page.size() - 1));
            }
            assertThat(all).doesNotHaveDuplicates().hasSize(14);
            assertThat(all).isSortedAccordingTo((a, b) -> b.diedAt().compareTo(a.diedAt()));
            assertThat(all).extracting(DeadLetter::messageId).hasSameElementsAs(ids);
            DeadLetter newest = all.get(0);
            assertThat(newest.type()).isEqualTo("order.placed");
            assertThat(newest.aggregateType()).isEqualTo("order");
            assertThat(newest.aggregateId()).isEqualTo("o-7");
            assertThat(newest.blocking()).isFalse();
        }
    }

    @Test
    default void a_filter_finds_and_counts_those_that_meet_all_its_conditions() {
        MessageHead first = publish();
        write(resolve(first, dead("A"), dead("B")));
        MessageHead other = bench().publish(Draft.inLane(LANE + 64).type("invoice.sent"));
        write(resolve(other, dead("A")));
        MessageHead last = publish();
        write(resolve(last, blocked("B")));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            Instant died = letters.get(other.id(), "A").orElseThrow().diedAt();
            Map<Filter, List<UUID>> expected = Map.of(
                    Filter.all(), List.of(last.id(), other.id(), first.id(), first.id()),
                    Filter.all().handler("B"), List.of(last.id(), first.id()),
                    Filter.all().type("invoice.sent"), List.of(other.id()),
                    Filter.all().aggregate("order", "o-" + LANE), List.of(last.id(), first.id(), first.id()),
                    Filter.all().aggregate(null, "o-" + LANE).handler("A"), List.of(first.id()),
                    Filter.all().diedSince(died), List.of(last.id(), other.id()),
                    Filter.all().diedUntil(died), List.of(first.id(), first.id()),
                    Filter.all().diedSince(died).diedUntil(died.plusNanos(1000)), List.of(other.id()),
                    Filter.all().diedSince(Instant.MIN).diedUntil(Instant.MAX).onlyBlocking(), List.of(last.id()),
                    Filter.all().handler("A").onlyBlocking(), List.of());
            expected.forEach((filter, ids) -> {
                assertThat(letters.find(filter, null, 10))
                        .extracting(DeadLetter::messageId)
                        .containsExactlyElementsOf(ids);
                assertThat(letters.count(filter)).isEqualTo(ids.size());
            });
            assertThat(letters.get(other.id(), "B")).isEmpty();
        }
    }

    @Test
    default void a_filter_finds_by_event_and_by_a_part_of_the_error() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, new Resolution.Dead("A", "A", 3, "java.net.ConnectException: 10% of [mail_1]")));
        write(resolve(second, dead("A"), dead("B")));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            Map<Filter, List<UUID>> expected = Map.of(
                    Filter.all().message(second.id()), List.of(second.id(), second.id()),
                    Filter.all().message(second.id()).handler("B"), List.of(second.id()),
                    Filter.all().message(UUID.randomUUID()), List.of(),
                    Filter.all().error("10% of [mail_1]"), List.of(first.id()),
                    Filter.all().error("connectexception"), List.of(),
                    Filter.all().error("%"), List.of(first.id()),
                    Filter.all().error("boom"), List.of(second.id(), second.id()));
            expected.forEach((filter, ids) -> {
                assertThat(letters.find(filter, null, 10))
                        .as(filter.toString())
                        .extracting(DeadLetter::messageId)
                        .containsExactlyElementsOf(ids);
                assertThat(letters.count(filter)).isEqualTo(ids.size());
            });
            assertThat(letters.discard(Filter.all().error("boom").message(second.id()), 10, each -> {}))
                    .isEqualTo(2);
            assertThat(letters.count(Filter.all())).isEqualTo(1);
        }
    }

    @Test
    default void whoever_watches_a_replay_of_many_gets_each_one_and_can_end_it() {
        for (int i = 0; i < 4; i++) {
            write(resolve(publish(), dead("A")));
        }
        List<UUID> seen = new ArrayList<>();
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThatThrownBy(() -> letters.replay(Filter.all(), 10, letter -> {
                        seen.add(letter.messageId());
                        if (seen.size() == 3) {
                            throw new IllegalStateException("enough");
                        }
                    }))
                    .hasMessage("enough");
            assertThat(ready()).extracting(MessageHead::id).containsExactlyElementsOf(seen);
            assertThat(letters.count(Filter.all())).isEqualTo(1);
        }
    }

    @Test
    default void a_delivery_of_a_retired_handler_is_dropped_only_while_it_is_retired_and_free() throws Exception {
        store().handlers()
                .register(List.of(
                        StoreContract.handler("order.placed", "A"), StoreContract.handler("order.placed", "B")));
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, retry("A", 0), retry("B", 0)), resolve(second, retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.find("A", null, 10)).isEmpty();
            assertThat(deliveries.retire("order.placed", "A")).isTrue();
            List<ListedDelivery> waiting = deliveries.find("A", null, 10);
            assertThat(waiting).extracting(ListedDelivery::messageId).containsExactly(first.id(), second.id());
            assertThat(deliveries.find("A", waiting.get(0), 10)).containsExactly(waiting.get(1));
            try (Delivery running = bench().begin()) {
                running.claim(asResolved(first));
                assertThat(deliveries.drop(waiting.get(0))).isEqualTo(RetiredDeliveries.Result.LOCKED);
            }
            assertThat(deliveries.drop(waiting.get(0))).isEqualTo(RetiredDeliveries.Result.DROPPED);
            assertThat(deliveries.drop(waiting.get(0))).isEqualTo(RetiredDeliveries.Result.GONE);
            store().handlers().register(List.of(StoreContract.handler("order.placed", "A")));
            assertThat(deliveries.drop(waiting.get(1))).isEqualTo(RetiredDeliveries.Result.GONE);
            assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");
            assertThat(deliveries.retire("order.placed", "A")).isTrue();
            assertThat(deliveries.drop(waiting.get(1))).isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(dueGroups()).containsExactly("B");
        assertThat(jdbc().messageRows()).isEqualTo(1);
    }

    @Test
    default void deliveries_of_a_handler_of_any_type_are_dropped_once_it_is_retired() {
        store().handlers().register(List.of(StoreContract.handler(HandlerKey.ANY_TYPE, "A")));
        write(resolve(publish(), retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.find("A", null, 10)).isEmpty();
            assertThat(deliveries.retire(HandlerKey.ANY_TYPE, "A")).isTrue();
            List<ListedDelivery> waiting = deliveries.find("A", null, 10);
            assertThat(waiting).hasSize(1);
            assertThat(deliveries.drop(waiting.get(0))).isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(jdbc().messageRows()).isZero();
        assertThat(store().reads().waits(List.of(LANE))).isEmpty();
    }

    @Test
    default void what_a_handler_of_any_type_would_still_get_is_not_dropped() {
        store().handlers().register(List.of(StoreContract.handler("order.placed", "A")));
        write(resolve(publish(), retry("A", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.retire("order.placed", "A")).isTrue();
            ListedDelivery waiting = deliveries.find("A", null, 10).get(0);
            store().handlers().register(List.of(StoreContract.handler(HandlerKey.ANY_TYPE, "A")));
            assertThat(deliveries.find("A", null, 10)).isEmpty();
            assertThat(deliveries.drop(waiting)).isEqualTo(RetiredDeliveries.Result.GONE);
        }
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void what_waits_for_the_first_handler_of_its_type_is_not_dropped() {
        MessageHead head = publish();
        write(resolve(head, new Resolution.Retry(LaneWait.UNKNOWN, LaneWait.UNKNOWN, 0, "no handler", 0)));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.find(LaneWait.UNKNOWN, null, 10)).isEmpty();
            ListedDelivery waiting = new ListedDelivery(
                    head.id(),
                    head.seq(),
                    StoreContract.laneOf(LaneWait.UNKNOWN),
                    LaneWait.UNKNOWN,
                    "order.placed",
                    "order",
                    "o-7",
                    0,
                    null);
            assertThat(deliveries.drop(waiting)).isEqualTo(RetiredDeliveries.Result.GONE);
        }
        assertThat(dueGroups()).containsExactly(LaneWait.UNKNOWN);
    }

    @Test
    default void what_was_replayed_for_a_handler_whose_registration_was_removed_is_dropped() throws Exception {
        store().handlers().register(List.of(StoreContract.handler("order.placed", "A")));
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        try (RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            assertThat(deliveries.retire("order.placed", "A")).isTrue();
            assertThat(new RetiredHandlers(jdbc().dialect(), jdbc().prefix()).remove(jdbc().admin))
                    .hasSize(1);
            assertThat(bench().replay(head.id(), "A")).isTrue();
            write(resolve(ready().get(0), retry("A", 0)));
            List<ListedDelivery> waiting = deliveries.find("A", null, 10);
            assertThat(waiting).hasSize(1);
            assertThat(deliveries.drop(waiting.get(0))).isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void those_that_died_at_the_same_time_are_neither_missed_nor_found_twice() throws Exception {
        write(resolve(publish(), dead("A"), dead("B"), dead("C")), resolve(publish(), dead("A"), dead("B")));
        jdbc().run("UPDATE outbox_dead SET died_at = 7");
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            Set<DeadLetterKey> found = new HashSet<>();
            DeadLetterKey after = null;
            for (List<DeadLetter> page; !(page = letters.find(Filter.all(), after, 2)).isEmpty(); ) {
                page.forEach(letter ->
                        assertThat(found.add(DeadLetterKey.of(letter))).isTrue());
                after = DeadLetterKey.of(page.get(page.size() - 1));
            }
            assertThat(found).hasSize(5);
        }
    }

    @Test
    default void many_are_replayed_in_the_order_in_which_they_died() {
        List<UUID> died = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            MessageHead head = publish();
            died.add(head.id());
            write(resolve(head, dead("A"), dead("B")));
        }
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.replay(Filter.all().handler("A"), 3, each -> {})).isEqualTo(3);
            assertThat(ready()).extracting(MessageHead::id).containsExactlyElementsOf(died.subList(0, 3));
            assertThat(letters.replay(Filter.all().handler("A"), 3, each -> {})).isEqualTo(2);
            assertThat(ready()).extracting(MessageHead::id).containsExactlyElementsOf(died);
            assertThat(ready()).extracting(MessageHead::onlyHandler).containsOnly("A");
            assertThat(letters.replay(Filter.all().handler("A"), 3, each -> {})).isZero();
            assertThat(letters.count(Filter.all())).isEqualTo(5);
        }
    }

    @Test
    default void more_than_are_read_at_once_are_replayed_once_each() throws Exception {
        for (int i = 0; i < 11; i++) {
            write(resolve(
                    publish(),
                    IntStream.range(0, 20).mapToObj(n -> dead("h" + n)).toArray(Resolution[]::new)));
        }
        jdbc().run("UPDATE outbox_dead SET died_at = 7");
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.replay(Filter.all(), Integer.MAX_VALUE, each -> {}))
                    .isEqualTo(220);
            assertThat(letters.count(Filter.all())).isZero();
        }
        assertThat(bench().messageRows()).isEqualTo(220);
    }

    @Test
    default void blocked_ones_are_discarded_together_and_their_lane_continues() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead third = publish();
        write(resolve(first, blocked("A")), resolve(second, blocked("A")), resolve(third, retry("A", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.discard(Filter.all().onlyBlocking(), 10, each -> {}))
                    .isEqualTo(2);
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(row -> row.head().seq())
                .containsExactly(third.seq());
        assertThat(jdbc().messageRows()).isEqualTo(1);
    }

    @Test
    default void a_replayed_message_can_die_again_and_be_replayed_again() {
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            for (int i = 0; i < 3; i++) {
                assertThat(letters.replay(head.id(), "A")).isTrue();
                assertThat(bench().deadLetters()).isEmpty();
                write(resolve(ready().get(0), retry("A", 0)));
                write(resolve(split("A"), dead("A")));
                assertThat(bench().deadLetters()).hasSize(1);
                assertThat(jdbc().messageRows()).isZero();
                assertThat(store().reads().waits(List.of(LANE))).isEmpty();
            }
        }
    }

    @Test
    default void a_blocked_message_is_replayed_in_its_place() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, retry("A", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.replay(first.id(), "A")).isTrue();
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(row -> row.head().seq())
                .containsExactly(first.seq(), second.seq());
        write(resolve(split("A"), blocked("A")));
        assertThat(bench().deadLetters()).hasSize(1);
        assertThat(dueGroups()).isEmpty();
    }

    @Test
    default void a_discarded_blocked_message_makes_way() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, retry("A", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.discard(first.id(), "A")).isTrue();
            assertThat(letters.discard(first.id(), "A")).isFalse();
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .singleElement()
                .satisfies(row -> assertThat(row.head().seq()).isEqualTo(second.seq()));
        assertThat(jdbc().messageRows()).isEqualTo(1);
        assertThat(bench().deadLetters()).isEmpty();
    }

    @Test
    default void a_locked_message_that_is_replayed_or_discarded_does_not_lock_its_shard() throws Exception {
        MessageHead replayed = publish();
        MessageHead discarded = publish();
        write(resolve(replayed, blocked("A")), resolve(discarded, blocked("B")));
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        try (Delivery zombie = bench().begin();
                DeadLetterStore letters = jdbc().deadLetterStore();
                DeadLetterStore others = jdbc().deadLetterStore()) {
            zombie.claim(asResolved(replayed));
            zombie.claim(asResolved(discarded));
            CompletableFuture<Boolean> replay = elsewhere(() -> letters.replay(replayed.id(), "A"));
            CompletableFuture<Boolean> discard = elsewhere(() -> others.discard(discarded.id(), "B"));
            Duration longest = Duration.ZERO;
            long storedAt = System.nanoTime();
            while (!replay.isDone() || !discard.isDone()) {
                try {
                    write(new FencedWrite.Park(other.lane(), List.of(other)));
                    storedAt = System.nanoTime();
                } catch (StoreException e) {
                    assertThat(e.isHeld()).isTrue();
                }
                Duration waited = Duration.ofNanos(System.nanoTime() - storedAt);
                longest = waited.compareTo(longest) > 0 ? waited : longest;
            }
            assertThat(longest).as("the shard row was locked").isLessThan(Duration.ofSeconds(3));
            for (CompletableFuture<Boolean> each : List.of(replay, discard)) {
                assertThatThrownBy(() -> result(each))
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.isHeld()).isTrue());
            }
        }
        assertThat(bench().deadLetters()).as("nothing was changed").hasSize(2);
        assertThat(bench().replay(replayed.id(), "A")).isTrue();
    }

    /** What somebody selected is not what has died since, even of the same event. */
    @Test
    default void a_dead_letter_that_dies_again_before_its_turn_is_left_alone() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, dead("A")), resolve(second, dead("A")));
        try (DeadLetterStore letters = jdbc().deadLetterStore();
                DeadLetterStore other = jdbc().deadLetterStore()) {
            int discarded = letters.discard(Filter.all(), 10, letter -> {
                if (letter.messageId().equals(first.id())) {
                    other.replay(second.id(), "A");
                    write(resolve(ready().get(0), dead("A")));
                }
            });
            assertThat(discarded).isEqualTo(1);
        }
        assertThat(bench().deadLetters()).extracting(DeadLetter::messageId).containsExactly(second.id());
    }

    @Test
    default void locked_messages_do_not_keep_others_from_being_replayed() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead free = publish();
        write(resolve(first, blocked("A")), resolve(second, blocked("A")), resolve(free, blocked("A")));
        List<UUID> replayed = new ArrayList<>();
        try (Delivery running = bench().begin();
                Delivery zombie = bench().begin();
                DeadLetterStore letters = jdbc().deadLetterStore()) {
            running.claim(asResolved(first));
            zombie.claim(asResolved(second));
            assertThat(letters.replay(Filter.all(), 10, letter -> replayed.add(letter.messageId())))
                    .isEqualTo(1);
        }
        assertThat(replayed).containsExactly(free.id());
        assertThat(bench().deadLetters())
                .extracting(DeadLetter::messageId)
                .containsExactlyInAnyOrder(first.id(), second.id());
    }

    private static MessageHead asResolved(MessageHead head) {
        return head.withVersion(head.version() + 1);
    }

    @Test
    default void a_message_that_is_locked_for_a_moment_is_replayed_then() throws Exception {
        MessageHead head = publish();
        write(resolve(head, blocked("A")));
        try (Delivery delivery = bench().begin();
                DeadLetterStore letters = jdbc().deadLetterStore()) {
            delivery.claim(asResolved(head));
            CompletableFuture<Boolean> replay = elsewhere(() -> letters.replay(head.id(), "A"));
            assertThatThrownBy(() -> replay.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            delivery.rollback();
            assertThat(result(replay)).isTrue();
        }
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void a_discarded_blocked_message_that_was_already_deleted_makes_way_too() throws Exception {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, retry("A", 0)));
        jdbc().run("DELETE FROM outbox_message WHERE seq = ?", first.seq());
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.discard(first.id(), "A")).isTrue();
        }
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void a_discarded_skipped_message_is_only_forgotten() {
        MessageHead head = publish();
        write(resolve(head, dead("A"), retry("B", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.discard(head.id(), "A")).isTrue();
            assertThat(letters.replay(head.id(), "A")).isFalse();
        }
        assertThat(store().reads().waiting(LANE, "B", 10)).hasSize(1);
    }
}
