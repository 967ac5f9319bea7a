package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.laneOf;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.StoreFixture.Draft;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that were deleted by SQL, past the relay. */
interface DeletedByHandContract extends JdbcContract {

    /** As after a cut-over to Debezium. */
    @Test
    default void deliveries_and_lanes_of_messages_that_were_deleted_by_hand_disappear() throws Exception {
        List<LaneWait> lanes = new ArrayList<>();
        for (long lane = LANE; lane < LANE + 3 * 64; lane += 64) {
            for (int i = 0; i < 2; i++) {
                write(resolve(bench().publish(Draft.inLane(lane)), retry("A", 0), retry("B", 0)));
            }
            lanes.add(new LaneWait(lane, SHARD, "A"));
            lanes.add(new LaneWait(lane, SHARD, "B"));
        }
        store().acks().acknowledge(List.of(acknowledged(split("A"), "C", AckMode.ADD_DONE_ROW)));
        jdbc().run("DELETE FROM outbox_message");
        lanes.forEach(
                lane -> assertThat(store().writes().refresh(lease(), lane)).isTrue());
        assertThat(dueGroups()).isEmpty();
        assertThat(jdbc().count("outbox_lane")).isZero();
        assertThat(jdbc().count("outbox_delivery")).isZero();
    }

    @Test
    default void what_waits_behind_a_message_that_was_deleted_by_hand_is_due() throws Exception {
        MessageHead deleted = publish();
        MessageHead later = publish();
        write(resolve(deleted, retry("A", 0)), resolve(later, retry("A", 0)));
        jdbc().run("DELETE FROM outbox_message WHERE seq = ?", deleted.seq());
        assertThat(store().writes().refresh(lease(), laneOf("A"))).isFalse();
        assertThat(dueGroups()).containsExactly("A");
        assertThat(split("A").id()).isEqualTo(later.id());
        assertThat(jdbc().count("outbox_delivery")).isOne();
    }

    /** Whether later events may come is for the operator to say. */
    @Test
    default void a_blocked_lane_stays_blocked_if_its_message_was_deleted_by_hand() throws Exception {
        MessageHead deleted = publish();
        write(resolve(deleted, blocked("A")), resolve(publish(), retry("A", 0)));
        jdbc().run("DELETE FROM outbox_message WHERE seq = ?", deleted.seq());
        assertThat(store().writes().refresh(lease(), laneOf("A"))).isFalse();
        assertThat(dueGroups()).isEmpty();
    }
}
