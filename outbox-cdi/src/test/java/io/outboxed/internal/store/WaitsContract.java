package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.laneOf;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a waiting message is called again, and what waits behind it. */
interface WaitsContract extends StoreContract {
    String GROUP = "Mailer";

    private static Resolution inGroup(String handler, int attempts, long delay) {
        return new Resolution.Retry(handler, GROUP, attempts, "boom", delay);
    }

    private static Resolution blockedInGroup(String handler) {
        return new Resolution.Blocked(handler, GROUP, 3, "boom");
    }

    /** Number of the message from 0, handler, counted tries. */
    private List<String> page(int limit, MessageHead... messages) {
        List<Long> seqs = Stream.of(messages).map(MessageHead::seq).toList();
        return store().reads().waiting(LANE, GROUP, limit).stream()
                .map(row -> seqs.indexOf(row.head().seq()) + row.handler() + row.attempts())
                .toList();
    }

    @Test
    default void every_try_waits_until_it_is_due() {
        MessageHead head = publish();
        for (int attempts = 1; attempts <= 4; attempts++) {
            write(resolve(head, inGroup("A", attempts, HOUR)));
            assertThat(page(10, head)).isEmpty();
            assertThat(dueGroups()).isEmpty();
            assertThat(store().writes().refresh(lease(), laneOf(GROUP))).isFalse();
            assertThat(dueGroups()).as("reading does not make it due").isEmpty();
            write(resolve(head, inGroup("A", attempts, 0)));
            assertThat(page(10, head)).containsExactly("0A" + attempts);
            assertThat(dueGroups()).containsExactly(GROUP);
            write(new FencedWrite.CountAttempt(head, "A", attempts + 1));
        }
    }

    @Test
    default void what_is_due_is_also_read_for_chosen_lanes_the_earliest_first() {
        write(resolve(publish(), retry("A", HOUR), retry("B", 0), retry("C", 0)));
        write(new FencedWrite.PostponeLane(laneOf("C"), -HOUR));
        assertThat(dueGroupsOf(LANE, LANE + 1)).containsExactly("C", "B");
        assertThat(dueGroupsOf(LANE + 1)).isEmpty();
        assertThat(dueGroupsOf()).isEmpty();
    }

    @Test
    default void a_postponed_lane_is_not_read_before_its_time() {
        MessageHead head = publish();
        write(resolve(head, inGroup("A", 1, 0)), new FencedWrite.PostponeLane(laneOf(GROUP), HOUR));
        assertThat(page(10, head)).isEmpty();
        write(new FencedWrite.PostponeLane(laneOf(GROUP), 0));
        assertThat(page(10, head)).containsExactly("0A1");
    }

    @Test
    default void a_paused_lane_is_due_after_it_was_woken() {
        MessageHead head = publish();
        write(resolve(head, inGroup("A", 1, 0)), new FencedWrite.PauseLane(laneOf(GROUP)));
        assertThat(dueGroups()).isEmpty();
        assertThat(page(10, head)).isEmpty();
        store().writes().wake(lease());
        assertThat(dueGroups()).containsExactly(GROUP);
        assertThat(page(10, head)).containsExactly("0A1");
    }

    @Test
    default void what_waits_for_another_reason_is_not_woken() {
        MessageHead waiting = publish();
        write(resolve(waiting, inGroup("A", 1, HOUR)), resolve(publish(), retry("B", HOUR)));
        write(new FencedWrite.PostponeLane(laneOf("B"), HOUR));
        store().writes().wake(lease());
        assertThat(dueGroups()).isEmpty();
    }

    @Test
    default void a_paused_lane_that_waits_for_an_operator_goes_on_waiting() {
        write(resolve(publish(), blockedInGroup("A")), new FencedWrite.PauseLane(laneOf(GROUP)));
        store().writes().wake(lease());
        assertThat(dueGroups()).isEmpty();
    }

    @Test
    default void only_the_owner_wakes_lanes() {
        Lease stale = new Lease(SHARD, "me", lease().epoch() - 1);
        assertThatThrownBy(() -> store().writes().wake(stale)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    default void a_later_message_leaves_a_postponed_lane_postponed() {
        MessageHead first = publish();
        MessageHead later = publish();
        write(resolve(first, inGroup("A", 1, 0)), new FencedWrite.PostponeLane(laneOf(GROUP), HOUR));
        write(resolve(later, inGroup("A", 0, 0)));
        assertThat(dueGroups()).isEmpty();
        assertThat(page(10, first, later)).isEmpty();
        write(new FencedWrite.PostponeLane(laneOf(GROUP), 0));
        assertThat(page(10, first, later)).containsExactly("0A1", "1A0");
    }

    @Test
    default void handlers_of_one_group_have_tries_and_due_times_of_their_own() {
        MessageHead head = publish();
        write(resolve(head, inGroup("A", 2, HOUR), inGroup("B", 1, 0)));
        assertThat(dueGroups()).containsExactly(GROUP);
        assertThat(page(10, head)).containsExactly("0B1");
        assertThat(page(1, head)).as("those that are not due take up no room").containsExactly("0B1");

        write(resolve(head, inGroup("B", 2, HOUR)));
        assertThat(dueGroups()).isEmpty();
        write(resolve(head, inGroup("B", 3, 0)));
        assertThat(page(10, head)).as("A keeps its due time").containsExactly("0B3");
        store().acks().acknowledge(List.of(acknowledged(head, "B", AckMode.DELETE_DELIVERY)));
        assertThat(page(10, head)).isEmpty();
        assertThat(store().writes().refresh(lease(), laneOf(GROUP))).isFalse();
        assertThat(dueGroups()).isEmpty();
        write(resolve(head, inGroup("A", 3, 0)));
        assertThat(page(10, head)).containsExactly("0A3");
    }

    @Test
    default void nothing_of_a_group_overtakes_what_is_not_due() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead third = publish();
        write(
                resolve(first, inGroup("A", 1, 0), inGroup("B", 1, 0)),
                resolve(second, inGroup("A", 1, HOUR), inGroup("B", 1, 0)),
                resolve(third, inGroup("A", 1, 0)));
        assertThat(page(10, first, second, third)).containsExactly("0A1", "0B1", "1B1");
        write(resolve(first, inGroup("B", 2, HOUR)));
        assertThat(page(10, first, second, third)).containsExactly("0A1");
        write(resolve(first, inGroup("B", 2, 0)), resolve(second, inGroup("A", 2, 0)));
        assertThat(page(10, first, second, third)).containsExactly("0A1", "0B2", "1A2", "1B1", "2A1");
        assertThat(page(3, first, second, third)).hasSize(3).startsWith("0A1", "0B2");
    }

    @Test
    default void nothing_of_a_group_overtakes_what_is_blocked() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(
                resolve(first, blockedInGroup("A"), inGroup("B", 1, HOUR), retry("other", 0)),
                resolve(second, inGroup("A", 1, 0)));
        assertThat(page(10, first, second)).isEmpty();
        write(resolve(first, inGroup("B", 2, 0)));
        assertThat(dueGroups()).containsExactlyInAnyOrder(GROUP, "other");
        assertThat(page(10, first, second)).containsExactly("0B2");
        write(resolve(first, new Resolution.Dead("B", GROUP, 3, "boom")));
        assertThat(dueGroups()).as("only an operator can release it").containsExactly("other");
        assertThat(page(10, first, second)).isEmpty();
        assertThat(store().writes().refresh(lease(), laneOf(GROUP))).isFalse();
        assertThat(bench().replay(first.id(), "A")).isTrue();
        assertThat(dueGroups()).containsExactlyInAnyOrder(GROUP, "other");
        assertThat(page(10, first, second)).containsExactly("0A0", "1A1");
    }

    @Test
    default void what_waits_for_a_first_handler_is_found_page_by_page_due_or_not() {
        List<MessageHead> heads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            heads.add(publish());
            write(resolve(heads.get(i), retry(LaneWait.NO_HANDLER, i % 2 * HOUR)));
        }
        write(resolve(publish(), retry("A", 0)));
        List<MessageHead> page = store().reads().unadopted(LANE, 0, 32);
        assertThat(page).extracting(MessageHead::id).containsExactlyElementsOf(ids(heads.subList(0, 32)));
        assertThat(page.get(0).status()).isEqualTo(MessageState.SPLIT);
        for (MessageHead head : page) {
            write(new FencedWrite.Adopt(head, Map.of("A", "A")));
        }
        assertThat(store().reads().unadopted(LANE, 0, 32))
                .extracting(MessageHead::id)
                .containsExactlyElementsOf(ids(heads.subList(32, 40)));
        assertThat(store().reads().unadopted(LANE, heads.get(34).seq(), 2))
                .extracting(MessageHead::id)
                .containsExactlyElementsOf(ids(heads.subList(35, 37)));
        assertThat(store().reads().unadopted(99, 0, 32)).isEmpty();
    }

    @Test
    default void the_last_error_of_a_delivery_is_found() {
        MessageHead head = publish();
        write(resolve(head, retry("A", HOUR)));

        assertThat(store().reads().lastError(head, "A")).contains("boom");
        assertThat(store().reads().lastError(head, "B")).isEmpty();
    }

    private static List<java.util.UUID> ids(List<MessageHead> heads) {
        return heads.stream().map(MessageHead::id).toList();
    }

    @Test
    default void adopted_handlers_of_one_group_are_called_in_order_and_not_before_their_group() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, retry(LaneWait.NO_HANDLER, HOUR)), resolve(second, inGroup("A", 1, HOUR)));
        write(new FencedWrite.Adopt(first, Map.of("B", GROUP, "A", GROUP, "C", "other")));
        assertThat(store().reads().waits(List.of(LANE))).isEqualTo(Map.of(LANE, java.util.Set.of(GROUP, "other")));
        assertThat(page(10, first, second)).containsExactly("0A0", "0B0");
        write(resolve(first, inGroup("A", 1, HOUR), inGroup("B", 1, HOUR)));
        assertThat(page(10, first, second)).isEmpty();
    }

    @Test
    default void a_resolution_of_another_group_moves_its_delivery_there() {
        MessageHead head = publish();
        write(resolve(head, inGroup("A", 1, 0)));
        write(resolve(head, new Resolution.Retry("A", "other", 2, "boom", HOUR)));
        assertThat(store().reads().waits(List.of(LANE))).isEqualTo(Map.of(LANE, java.util.Set.of("other")));
        assertThat(page(10, head)).isEmpty();
        assertThat(dueGroups()).isEmpty();
    }

    @Test
    default void a_skipped_message_is_replayed_for_its_handler_only_and_in_the_order_of_all() {
        MessageHead head = publish();
        write(resolve(head, new Resolution.Dead("A", GROUP, 3, "boom"), retry("B", 0)));
        MessageHead later = publish();
        assertThat(bench().replay(head.id(), "A")).isTrue();
        assertThat(bench().replay(head.id(), "A")).isFalse();
        MessageHead newest = publish();

        assertThat(bench().deadLetters()).isEmpty();
        assertThat(ready())
                .extracting(MessageHead::id, MessageHead::onlyHandler)
                .containsExactly(tuple(later.id(), null), tuple(head.id(), "A"), tuple(newest.id(), null));
        MessageHead replayed = ready().get(1);
        assertThat(replayed.seq()).isBetween(later.seq() + 1, newest.seq() - 1);
        assertThat(replayed.version()).isZero();
        assertThat(replayed.delayed()).isFalse();
        assertThat(replayed.starts()).isZero();
        assertThat(store().reads().bodies(List.of(replayed.seq()))).hasSize(1);
        assertThat(store().reads().waits(List.of(LANE))).as("no lane row").containsOnlyKeys(LANE);
        assertThat(store().reads().waits(List.of(LANE)).get(LANE)).containsExactly("B");
        assertThat(bench().deliveryRows()).isEqualTo(1);

        write(new FencedWrite.Park(LANE, ready()));
        assertThat(store().reads().lane(LANE, 10))
                .extracting(MessageHead::onlyHandler)
                .containsExactly(null, "A", null);
        deliver(store().reads().lane(LANE, 10).get(1), "A", AckMode.DELETE_MESSAGE);
        assertThat(store().reads().waiting(LANE, "B", 10))
                .as("the first row still waits for B")
                .hasSize(1);
        deliver(split("B"), "B", AckMode.DELETE_DELIVERY);
        assertThat(bench().deliveryRows()).isZero();
        assertThat(bench().messageRows()).isEqualTo(2);
    }

    @Test
    default void a_replay_that_fails_waits_for_its_handler_alone() {
        MessageHead head = publish();
        write(resolve(head, new Resolution.Dead("A", GROUP, 3, "boom"), retry("B", 0)));
        bench().replay(head.id(), "A");
        MessageHead replayed = ready().get(0);
        write(resolve(replayed, inGroup("A", 1, 0)));
        assertThat(page(10, replayed)).containsExactly("0A1");
        assertThat(store().reads().waiting(LANE, GROUP, 10))
                .singleElement()
                .satisfies(row -> assertThat(row.head().onlyHandler()).isEqualTo("A"));
        store().acks().acknowledge(List.of(acknowledged(split(GROUP), "A", AckMode.DELETE_DELIVERY)));
        assertThat(bench().messageRows()).isEqualTo(1);
        assertThat(split("B").onlyHandler()).isNull();
    }
}
