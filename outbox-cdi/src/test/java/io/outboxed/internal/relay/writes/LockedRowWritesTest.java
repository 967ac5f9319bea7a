package io.outboxed.internal.relay.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A row that another transaction has locked holds up its own write alone, and little of the time. */
class LockedRowWritesTest extends FencedWritesFixture {
    @Test
    void a_row_locked_by_another_transaction_holds_up_only_its_own_write() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        Lease lease = new Lease(1, "me", 1);
        for (long lane : List.of(1L, HELD_LANE, 3L)) {
            writes.add(lease, new FencedWrite.PostponeLane(new LaneWait(lane, 1, "mail"), 1), () -> done.add(lane));
        }

        assertThat(writes.flush()).as("the rest of the turn continues").isTrue();
        assertThat(done).containsExactly(1L, 3L);
        assertThat(writes.anyToFlushNow()).isFalse();
        assertThat(writes.isEmpty()).isFalse();

        lockedByAnother = false;
        now += 1_000_000_000L;
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(1L, 3L, HELD_LANE);
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void a_write_whose_lock_is_waited_for_takes_a_tenth_of_the_time_and_others_are_written_without_it() {
        lockWait = Duration.ofSeconds(5);
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        Lease other = new Lease(7, "me", 1);
        addEach(writes, done, List.of(1L, HELD_LANE, 3L));
        writes.add(other, postpone(7), () -> done.add(7L));

        assertThat(writes.flush()).isTrue();
        assertThat(waited).as("once for all of them").isEqualTo(lockWait.toNanos());
        flushFor(writes, Duration.ofSeconds(15));
        assertThat(done).containsExactlyInAnyOrder(1L, 3L, 7L);
        addEach(writes, done, List.of(4L));
        writes.flush();
        assertThat(done).as("what comes later is not held up").contains(4L);

        waited = 0;
        flushFor(writes, Duration.ofSeconds(1000));
        assertThat(Duration.ofNanos(waited)).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(105));

        lockedByAnother = false;
        flushFor(writes, Duration.ofSeconds(50));
        assertThat(done).contains(HELD_LANE);
        assertThat(writes.isEmpty()).isTrue();
    }

    /** It may take longer than a lock is waited for, so the database is slow. */
    @Test
    void a_write_that_the_database_ends_at_its_limit_of_time_waits_with_all_others_for_the_end_of_the_outage() {
        lockedState = "57014";
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(1L, HELD_LANE, 3L));

        assertThat(writes.flush()).isFalse();
        assertThat(written).as("none is tried by itself").isEmpty();
        assertThat(writes.anyToFlushNow()).isTrue();
        lockedByAnother = false;
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(1L, HELD_LANE, 3L);
        assertThat(rejectedLanes).isEmpty();
    }

    @Test
    void many_writes_whose_rows_stay_locked_take_a_tenth_of_the_time() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, Collections.nCopies(300, HELD_LANE));
        writes.flush();
        lockWait = Duration.ofMillis(3);
        waited = 0;

        Duration time = Duration.ofSeconds(60);
        flushFor(writes, time);

        assertThat(Duration.ofNanos(waited)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(8));
        lockedByAnother = false;
        flushFor(writes, Duration.ofSeconds(10));
        assertThat(done).hasSize(300);
    }

    private void flushFor(FencedWriteBuffer writes, Duration duration) {
        for (long end = now + duration.toNanos();
                now < end;
                now += Duration.ofMillis(100).toNanos()) {
            assertThat(writes.flush()).isTrue();
        }
    }

    @Test
    void a_pause_whose_row_is_locked_holds_up_the_next_resume_and_other_writes_do_not() {
        FencedWriteBuffer writes = writes();
        Lease lease = new Lease(1, "me", 1);
        writes.add(lease, postpone(HELD_LANE), () -> {});
        writes.flush();
        assertThat(writes.wake(lease)).isTrue();

        writes.add(lease, new FencedWrite.PauseLane(new LaneWait(HELD_LANE, 1, "mail")), () -> {});
        assertThat(writes.wake(lease)).as("it is pending").isFalse();
        writes.flush();
        assertThat(writes.wake(lease))
                .as("its lane would fall asleep after the resume")
                .isFalse();

        lockedByAnother = false;
        now += 1_000_000_000L;
        writes.flush();
        assertThat(writes.wake(lease)).isTrue();
    }

    @Test
    void a_row_locked_by_another_transaction_holds_up_no_decision_of_another_shard() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(2L, HELD_LANE));
        Lease other = new Lease(7, "me", 1);
        writes.add(other, postpone(7), () -> done.add(7L));
        writes.add(other, postpone(8), () -> done.add(8L));

        assertThat(writes.flush()).isTrue();

        assertThat(done).containsExactlyInAnyOrder(2L, 7L, 8L);
        assertThat(written.stream().filter(Set.of(other)::equals))
                .as("the other shard's decisions stay together")
                .hasSize(1);
        assertThat(writes.anyToFlushNow()).isFalse();
    }

    @Test
    void a_row_that_stays_locked_costs_others_no_second_transaction() {
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(HELD_LANE));
        writes.flush();
        Lease other = new Lease(7, "me", 1);
        writes.add(other, postpone(7), () -> done.add(7L));
        addEach(writes, done, List.of(2L, 3L));

        now += 1_000_000_000L;
        assertThat(writes.flush()).isTrue();

        assertThat(done).containsExactlyInAnyOrder(2L, 3L, 7L);
        assertThat(written).containsExactly(Set.of(new Lease(1, "me", 1), other));
        assertThat(writes.anyToFlushNow()).isFalse();
        assertThat(writes.hasPendingFor(HELD_LANE)).isTrue();
    }
}
