package io.outboxed.internal.relay.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.cluster.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A write that an outage or an error has prevented is not lost. */
class FencedWriteBufferTest extends FencedWritesFixture {
    @Test
    void an_outage_postpones_the_decisions_of_every_shard() {
        down = true;
        Lease first = new Lease(1, "me", 1);
        Lease second = new Lease(2, "me", 1);
        FencedWriteBuffer writes = writes();
        List<Integer> done = new ArrayList<>();
        for (Lease lease : List.of(first, second)) {
            writes.add(
                    lease,
                    new FencedWrite.PostponeLane(new LaneWait(lease.shard(), lease.shard(), "mail"), 1),
                    () -> done.add(lease.shard()));
        }

        assertThat(writes.flush()).isFalse();
        down = false;
        assertThat(writes.flush()).isTrue();

        assertThat(written).containsExactly(Set.of(first, second));
        assertThat(done).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void an_outage_during_writes_that_are_made_one_by_one_repeats_none_of_them() {
        fails = 2;
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(HELD_LANE, 2L, 3L, 4L));

        assertThat(writes.flush())
                .as("the second of the writes made one by one")
                .isFalse();
        assertThat(done).isEmpty();
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(2L, 3L, 4L);

        lockedByAnother = false;
        now += 1_000_000_000L;
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(2L, 3L, 4L, HELD_LANE);
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void an_error_after_a_commit_loses_no_write_of_others() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        writes.add(new Lease(7, "me", 1), postpone(7), () -> {
            throw new IllegalStateException("a bug");
        });
        addEach(writes, done, List.of(2L, 3L));

        assertThatThrownBy(writes::flush).hasMessage("a bug");

        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(2L, 3L);
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void an_unexpected_error_of_the_driver_loses_no_write_and_repeats_none() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        writes.add(new Lease(7, "me", 1), postpone(7), () -> done.add(7L));
        addEach(writes, done, List.of(HELD_LANE, 2L));
        driverFails = true;

        assertThatThrownBy(writes::flush).hasMessage("the driver's bug");
        assertThatThrownBy(writes::flush).hasMessage("the driver's bug");

        assertThat(done).isEmpty();
        driverFails = false;
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(7L, 2L);

        lockedByAnother = false;
        now += 1_000_000_000L;
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(7L, 2L, HELD_LANE);
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void many_decisions_are_written_in_several_transactions() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        List<Long> lanes = LongStream.rangeClosed(1, 250).boxed().toList();
        addEach(writes, done, lanes);
        writes.add(new Lease(7, "me", 1), postpone(777), () -> done.add(777L));

        assertThat(writes.flush()).isTrue();

        assertThat(done).containsAll(lanes).contains(777L).hasSize(251);
        assertThat(written)
                .containsExactly(Set.of(new Lease(1, "me", 1)), Set.of(new Lease(1, "me", 1), new Lease(7, "me", 1)));
    }
}
