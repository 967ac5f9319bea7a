package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.laneOf;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When what waits is called again, and what waits behind it. */
interface WaitsContract extends StoreContract {
    String GROUP = "Mailer";

    private static Verdict inGroup(String handler, int attempts, long delay) {
        return new Verdict.Retry(handler, GROUP, attempts, "boom", delay);
    }

    private static Verdict blockedInGroup(String handler) {
        return new Verdict.Blocked(handler, GROUP, 3, "boom");
    }

    /** Number of the message from 0, handler, counted tries. */
    private List<String> page(int limit, Head... messages) {
        List<Long> seqs = Stream.of(messages).map(Head::seq).toList();
        return store().waiting(LANE, GROUP, limit).stream()
                .map(row -> seqs.indexOf(row.head().seq()) + row.handler() + row.attempts())
                .toList();
    }

    @Test
    default void every_try_waits_until_it_is_due() {
        Head head = publish();
        for (int attempts = 1; attempts <= 4; attempts++) {
            decide(judge(head, inGroup("A", attempts, HOUR)));
            assertThat(page(10, head)).isEmpty();
            assertThat(dueGroups()).isEmpty();
            assertThat(store().refresh(lease(), laneOf(GROUP))).isFalse();
            assertThat(dueGroups()).as("looking does not make it due").isEmpty();
            decide(judge(head, inGroup("A", attempts, 0)));
            assertThat(page(10, head)).containsExactly("0A" + attempts);
            assertThat(dueGroups()).containsExactly(GROUP);
            decide(new Decision.Count(head, "A", attempts + 1));
        }
    }

    @Test
    default void a_postponed_lane_is_not_read_before_its_time() {
        Head head = publish();
        decide(judge(head, inGroup("A", 1, 0)), new Decision.Postpone(laneOf(GROUP), HOUR));
        assertThat(page(10, head)).isEmpty();
        decide(new Decision.Postpone(laneOf(GROUP), 0));
        assertThat(page(10, head)).containsExactly("0A1");
    }

    @Test
    default void a_later_message_leaves_a_postponed_lane_postponed() {
        Head first = publish();
        Head later = publish();
        decide(judge(first, inGroup("A", 1, 0)), new Decision.Postpone(laneOf(GROUP), HOUR));
        decide(judge(later, inGroup("A", 0, 0)));
        assertThat(dueGroups()).isEmpty();
        assertThat(page(10, first, later)).isEmpty();
        decide(new Decision.Postpone(laneOf(GROUP), 0));
        assertThat(page(10, first, later)).containsExactly("0A1", "1A0");
    }

    @Test
    default void handlers_of_one_group_have_tries_and_due_times_of_their_own() {
        Head head = publish();
        decide(judge(head, inGroup("A", 2, HOUR), inGroup("B", 1, 0)));
        assertThat(dueGroups()).containsExactly(GROUP);
        assertThat(page(10, head)).containsExactly("0B1");
        assertThat(page(1, head)).as("those that are not due take up no room").containsExactly("0B1");
        assertThat(store().waiting(LANE, GROUP, 10).get(0).last()).isFalse();

        decide(judge(head, inGroup("B", 2, HOUR)));
        assertThat(dueGroups()).isEmpty();
        decide(judge(head, inGroup("B", 3, 0)));
        assertThat(page(10, head)).as("A keeps its due time").containsExactly("0B3");
        store().settle(List.of(settled(head, "B", Settlement.WAITING)));
        assertThat(page(10, head)).isEmpty();
        assertThat(store().refresh(lease(), laneOf(GROUP))).isFalse();
        assertThat(dueGroups()).isEmpty();
        decide(judge(head, inGroup("A", 3, 0)));
        assertThat(page(10, head)).containsExactly("0A3");
        assertThat(store().waiting(LANE, GROUP, 10).get(0).last()).isTrue();
    }

    @Test
    default void nothing_of_a_group_overtakes_what_is_not_due() {
        Head first = publish();
        Head second = publish();
        Head third = publish();
        decide(
                judge(first, inGroup("A", 1, 0), inGroup("B", 1, 0)),
                judge(second, inGroup("A", 1, HOUR), inGroup("B", 1, 0)),
                judge(third, inGroup("A", 1, 0)));
        assertThat(page(10, first, second, third)).containsExactly("0A1", "0B1", "1B1");
        decide(judge(first, inGroup("B", 2, HOUR)));
        assertThat(page(10, first, second, third)).containsExactly("0A1");
        decide(judge(first, inGroup("B", 2, 0)), judge(second, inGroup("A", 2, 0)));
        assertThat(page(10, first, second, third)).containsExactly("0A1", "0B2", "1A2", "1B1", "2A1");
        assertThat(page(3, first, second, third)).hasSize(3).startsWith("0A1", "0B2");
    }

    @Test
    default void nothing_of_a_group_overtakes_what_is_blocked() {
        Head first = publish();
        Head second = publish();
        decide(
                judge(first, blockedInGroup("A"), inGroup("B", 1, HOUR), retry("other", 0)),
                judge(second, inGroup("A", 1, 0)));
        assertThat(page(10, first, second)).isEmpty();
        decide(judge(first, inGroup("B", 2, 0)));
        assertThat(dueGroups()).containsExactlyInAnyOrder(GROUP, "other");
        assertThat(page(10, first, second)).containsExactly("0B2");
        decide(judge(first, new Verdict.Dead("B", GROUP, 3, "boom")));
        assertThat(dueGroups()).as("only an operator helps").containsExactly("other");
        assertThat(page(10, first, second)).isEmpty();
        assertThat(store().refresh(lease(), laneOf(GROUP))).isFalse();
        assertThat(bench().replay(first.id(), "A")).isTrue();
        assertThat(dueGroups()).containsExactlyInAnyOrder(GROUP, "other");
        assertThat(page(10, first, second)).containsExactly("0A0", "1A1");
    }

    @Test
    default void what_waits_for_a_first_handler_is_found_page_by_page_due_or_not() {
        List<Head> heads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            heads.add(publish());
            decide(judge(heads.get(i), retry(WaitingLane.UNKNOWN, i % 2 * HOUR)));
        }
        decide(judge(publish(), retry("A", 0)));
        List<Head> page = store().unadopted(LANE, 0, 32);
        assertThat(page).extracting(Head::id).containsExactlyElementsOf(ids(heads.subList(0, 32)));
        assertThat(page.get(0).status()).isEqualTo(Head.Status.SPLIT);
        for (Head head : page) {
            decide(new Decision.Adopt(head, Map.of("A", "A")));
        }
        assertThat(store().unadopted(LANE, 0, 32))
                .extracting(Head::id)
                .containsExactlyElementsOf(ids(heads.subList(32, 40)));
        assertThat(store().unadopted(LANE, heads.get(34).seq(), 2))
                .extracting(Head::id)
                .containsExactlyElementsOf(ids(heads.subList(35, 37)));
        assertThat(store().unadopted(99, 0, 32)).isEmpty();
    }

    private static List<java.util.UUID> ids(List<Head> heads) {
        return heads.stream().map(Head::id).toList();
    }

    @Test
    default void adopted_handlers_of_one_group_are_called_in_order_and_not_before_their_group() {
        Head first = publish();
        Head second = publish();
        decide(judge(first, retry(WaitingLane.UNKNOWN, HOUR)), judge(second, inGroup("A", 1, HOUR)));
        decide(new Decision.Adopt(first, Map.of("B", GROUP, "A", GROUP, "C", "other")));
        assertThat(store().waits(List.of(LANE))).isEqualTo(Map.of(LANE, java.util.Set.of(GROUP, "other")));
        assertThat(page(10, first, second)).containsExactly("0A0", "0B0");
        decide(judge(first, inGroup("A", 1, HOUR), inGroup("B", 1, HOUR)));
        assertThat(page(10, first, second)).isEmpty();
    }

    @Test
    default void a_verdict_of_another_group_takes_its_delivery_along() {
        Head head = publish();
        decide(judge(head, inGroup("A", 1, 0)));
        decide(judge(head, new Verdict.Retry("A", "other", 2, "boom", HOUR)));
        assertThat(store().waits(List.of(LANE))).isEqualTo(Map.of(LANE, java.util.Set.of("other")));
        assertThat(page(10, head)).isEmpty();
        assertThat(dueGroups()).isEmpty();
    }

    @Test
    default void a_skipped_message_is_replayed_for_its_handler_only_and_in_the_order_of_all() {
        Head head = publish();
        decide(judge(head, new Verdict.Dead("A", GROUP, 3, "boom"), retry("B", 0)));
        Head later = publish();
        assertThat(bench().replay(head.id(), "A")).isTrue();
        assertThat(bench().replay(head.id(), "A")).isFalse();
        Head newest = publish();

        assertThat(bench().deadLetters()).isEmpty();
        assertThat(ready())
                .extracting(Head::id, Head::onlyHandler)
                .containsExactly(tuple(later.id(), null), tuple(head.id(), "A"), tuple(newest.id(), null));
        Head replayed = ready().get(1);
        assertThat(replayed.seq()).isBetween(later.seq() + 1, newest.seq() - 1);
        assertThat(replayed.version()).isZero();
        assertThat(replayed.delayed()).isFalse();
        assertThat(replayed.starts()).isZero();
        assertThat(store().bodies(List.of(replayed.seq()))).hasSize(1);
        assertThat(store().waits(List.of(LANE))).as("no lane row").containsOnlyKeys(LANE);
        assertThat(store().waits(List.of(LANE)).get(LANE)).containsExactly("B");
        assertThat(bench().deliveryRows()).isEqualTo(1);

        decide(new Decision.Park(LANE, ready()));
        assertThat(store().lane(LANE, 10)).extracting(Head::onlyHandler).containsExactly(null, "A", null);
        deliver(store().lane(LANE, 10).get(1), "A", Settlement.LAST);
        assertThat(store().waiting(LANE, "B", 10))
                .as("the first row still waits for B")
                .hasSize(1);
        deliver(split("B"), "B", Settlement.LAST_WAITING);
        assertThat(bench().deliveryRows()).isZero();
        assertThat(bench().messageRows()).isEqualTo(2);
    }

    @Test
    default void a_replay_that_fails_waits_for_its_handler_alone() {
        Head head = publish();
        decide(judge(head, new Verdict.Dead("A", GROUP, 3, "boom"), retry("B", 0)));
        bench().replay(head.id(), "A");
        Head replayed = ready().get(0);
        decide(judge(replayed, inGroup("A", 1, 0)));
        assertThat(page(10, replayed)).containsExactly("0A1");
        assertThat(store().waiting(LANE, GROUP, 10)).singleElement().satisfies(row -> {
            assertThat(row.head().onlyHandler()).isEqualTo("A");
            assertThat(row.last()).isTrue();
        });
        store().settle(List.of(settled(split(GROUP), "A", Settlement.LAST_WAITING)));
        assertThat(bench().messageRows()).isEqualTo(1);
        assertThat(split("B").onlyHandler()).isNull();
    }
}
