package io.outboxed.internal.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.WaitingDelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What this node's memory counts, and when it forgets. */
class LanesTest {
    private static final long LANE = 42;
    private static final int SHARD = 7;

    private final List<Long> dropped = new ArrayList<>();
    private final Lanes lanes = new Lanes(100, dropped::add);

    @Test
    void a_lane_that_was_opened_anew_is_dropped_with_its_messages_by_who_knows_the_forgotten_one() {
        Lane forgotten = lanes.open(LANE, SHARD);
        lanes.touch(forgotten);
        Lane present = lanes.open(LANE, SHARD);
        assertThat(present).isNotSameAs(forgotten);
        lanes.append(present, head(1));

        lanes.drop(forgotten.key);

        assertThat(lanes.get(LANE)).isNull();
        assertThat(lanes.holds(head(1))).isFalse();
        assertThat(lanes.size()).isZero();
        assertThat(lanes.windowRoom()).isEqualTo(100);
        assertThat(lanes.takeRunnable(10, 0, lane -> false)).isEmpty();
        assertThat(dropped).containsExactly(LANE);
    }

    /** Messages that were shed may come into memory for another group first. */
    @Test
    void a_group_whose_page_was_shed_does_not_wait_behind_another_any_longer() {
        Lane lane = lanes.open(LANE, SHARD);
        lanes.putPage(lane, "ahead", page("ahead", 2, 3));
        lanes.putPage(lane, "behind", page("behind", 1, 2, 3));
        assertThat(lane.waiting.get("behind")).hasSize(1);
        assertThat(lane.behindAnother).containsOnlyKeys("behind");

        lanes.shedWaiting(lane);
        lanes.putPage(lane, "ahead", page("ahead", 2, 3));

        assertThat(lanes.hasPage(lane, "behind")).isFalse();
    }

    private static List<WaitingDelivery> page(String group, long... seqs) {
        return LongStream.of(seqs)
                .mapToObj(seq -> new WaitingDelivery(head(seq), group + ".on", group, 0))
                .toList();
    }

    private static MessageHead head(long seq) {
        return new MessageHead(
                seq,
                new UUID(0, seq),
                SHARD,
                LANE,
                "order.placed",
                "Order",
                MessageState.READY,
                0,
                0,
                10,
                0,
                false,
                null,
                null);
    }
}
