package io.outboxed.internal.relay.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.cluster.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The row of a shard is locked, or another node has taken it: this costs its own writes only. */
class LockedShardWritesTest extends FencedWritesFixture {
    @Test
    void a_locked_shard_row_costs_one_transaction_and_holds_up_no_other_shard() {
        lockedShard = 1;
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(3L, 2L, 4L));
        Lease other = new Lease(7, "me", 1);
        writes.add(other, postpone(7), () -> done.add(7L));

        assertThat(writes.flush()).as("the rest of the turn continues").isTrue();
        addEach(writes, done, List.of(1L));
        assertThat(writes.flush()).isTrue();

        assertThat(refusedTransactions).isEqualTo(1);
        assertThat(written).containsExactly(Set.of(other));
        assertThat(done).containsExactly(7L);
        assertThat(writes.isLocked(new Lease(1, "me", 1))).isTrue();
        assertThat(writes.anyToFlushNow()).isFalse();
        assertThat(writes.isEmpty()).isFalse();

        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(refusedTransactions).isEqualTo(2);

        lockedShard = 0;
        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(7L, 3L, 2L, 4L, 1L);
        assertThat(writes.isLocked(new Lease(1, "me", 1))).isFalse();
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void a_shard_row_that_is_locked_while_writes_are_made_one_by_one_repeats_none_of_them() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(1L, HELD_LANE, 3L, 4L));
        lockedAfter = 2;

        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(1L);
        assertThat(refusedTransactions).isEqualTo(1);

        lockedShard = 0;
        lockedByAnother = false;
        now += 1_000_000_000L;
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(1L, HELD_LANE, 3L, 4L);
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void a_shard_that_another_node_has_taken_costs_only_its_own_decisions() {
        lostShard = 1;
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(2L, 3L));
        Lease other = new Lease(7, "me", 1);
        writes.add(other, postpone(7), () -> done.add(7L));

        assertThat(writes.flush()).isTrue();

        assertThat(lost).containsExactly(new Lease(1, "me", 1));
        assertThat(done).containsExactly(7L);
        assertThat(writes.isEmpty()).isTrue();
    }
}
