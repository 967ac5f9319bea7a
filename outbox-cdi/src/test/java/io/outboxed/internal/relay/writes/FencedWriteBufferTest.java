package io.outboxed.internal.relay.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that an outage has prevented is not lost. */
class FencedWriteBufferTest {
    private static final long HELD_LANE = 222_222;

    private final List<Set<Lease>> written = new ArrayList<>();
    private boolean down = true;
    private boolean lockedByAnother = true;
    /** This many writes are made one by one, and the last of them fails in an outage. */
    private int fails;

    private boolean driverFails;
    /** Its row is locked by another transaction. */
    private int lockedShard;

    private int lostShard;
    /** After this many transactions the row of shard 1 is locked. */
    private int lockedAfter = -1;

    private int refusedTransactions;
    private long now;
    /** How long the database waits for the lock that another transaction has. */
    private Duration lockWait = Duration.ZERO;
    /** How the database says so: the lock timeout, or a shorter limit for each statement. */
    private String lockedState = "55P03";
    /** How the database refuses a row: the disk is full, or the table of its locks. */
    private String fullState = "53100";

    private long waited;
    /** The lane whose writes find no room. */
    private long diskFullFor;

    private final List<Long> rejectedLanes = new ArrayList<>();
    private final List<Lease> lost = new ArrayList<>();

    @Test
    void an_outage_postpones_the_decisions_of_every_shard() {
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
    void a_row_locked_by_another_transaction_holds_up_only_its_own_write() {
        down = false;
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
        down = false;
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

    /** A role may have a statement_timeout that is shorter than the lock timeout. */
    @Test
    void a_write_that_the_database_ends_at_its_limit_of_time_is_made_again_and_takes_a_tenth_of_the_time() {
        down = false;
        lockedState = "57014";
        lockWait = Duration.ofSeconds(2);
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        addEach(writes, done, List.of(1L, HELD_LANE, 3L));

        flushFor(writes, Duration.ofSeconds(15));
        assertThat(done).containsExactlyInAnyOrder(1L, 3L);
        waited = 0;
        flushFor(writes, Duration.ofSeconds(1000));
        assertThat(Duration.ofNanos(waited)).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(105));
        assertThat(rejectedLanes).isEmpty();

        lockedByAnother = false;
        flushFor(writes, Duration.ofSeconds(50));
        assertThat(done).contains(HELD_LANE);
    }

    @Test
    void many_writes_whose_rows_stay_locked_take_a_tenth_of_the_time() {
        down = false;
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
    void of_decisions_that_a_full_disk_prevents_only_some_are_tried_at_a_time() {
        down = false;
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        Lease lease = new Lease(1, "me", 1);
        for (int i = 0; i < 50; i++) {
            writes.add(lease, new FencedWrite.CountAttempt(head(2), "mail", i), () -> {});
        }
        writes.flush();

        refusedTransactions = 0;
        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(refusedTransactions).isBetween(1, 10);
        assertThat(writes.untilRetry(now)).isEqualTo(Duration.ofSeconds(5).toNanos());

        diskFullFor = 0;
        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(writes.isEmpty()).isTrue();
    }

    /** Read again, its handler would be called every few seconds, and no attempt would count. */
    @ParameterizedTest
    @ValueSource(strings = {"53100", "53200"})
    void a_decision_that_a_full_disk_prevents_is_kept_and_holds_up_only_its_own_aggregate(String full) {
        down = false;
        fullState = full;
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        List<Long> done = new ArrayList<>();
        Lease lease = new Lease(1, "me", 1);
        addEach(writes, done, List.of(1L));
        writes.add(lease, new FencedWrite.CountAttempt(head(2), "mail", 1), () -> done.add(2L));
        addEach(writes, done, List.of(3L));

        assertThat(writes.flush()).as("the rest of the turn continues").isTrue();
        assertThat(done).containsExactly(1L, 3L);
        assertThat(writes.anyToFlushNow()).isFalse();
        now += 4_000_000_000L;
        writes.flush();
        assertThat(done).containsExactly(1L, 3L);
        now += 1_000_000_000L;
        writes.flush();
        assertThat(done).containsExactly(1L, 3L);

        diskFullFor = 0;
        now += writes.untilRetry(now);
        assertThat(writes.flush()).isTrue();
        assertThat(done).containsExactly(1L, 3L, 2L);
        assertThat(rejectedLanes).isEmpty();
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void what_the_relay_would_write_again_is_not_kept_on_a_full_disk() {
        down = false;
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        addEach(writes, new ArrayList<>(), List.of(2L));

        assertThat(writes.flush()).isTrue();

        assertThat(writes.isEmpty()).isTrue();
        assertThat(rejectedLanes).containsExactly(2L);
    }

    @Test
    void a_start_is_not_taken_back_again_and_again_on_a_full_disk() {
        down = false;
        diskFullFor = 2;
        FencedWriteBuffer writes = writes();
        writes.add(new Lease(1, "me", 1), new FencedWrite.RevertStart(head(2)), () -> {});

        assertThat(writes.flush()).isTrue();

        assertThat(writes.hasPendingFor(2)).isTrue();
        assertThat(writes.untilRetry(now)).isGreaterThan(1_000_000_000L);
        assertThat(rejectedLanes).isEmpty();
    }

    private static MessageHead head(long lane) {
        return new MessageHead(
                1, new UUID(1, 1), 1, lane, "placed", "order", MessageState.READY, 0, 1, 4, 0, false, null, null);
    }

    @Test
    void an_outage_during_writes_that_are_made_one_by_one_repeats_none_of_them() {
        down = false;
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
        down = false;
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
        down = false;
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
    void a_locked_shard_row_costs_one_transaction_and_holds_up_no_other_shard() {
        down = false;
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
        down = false;
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
    void a_pause_whose_row_is_locked_holds_up_the_next_resume_and_other_writes_do_not() {
        down = false;
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
        down = false;
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
        down = false;
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

    @Test
    void a_shard_that_another_node_has_taken_costs_only_its_own_decisions() {
        down = false;
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

    @Test
    void many_decisions_are_written_in_several_transactions() {
        down = false;
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

    private static void addEach(FencedWriteBuffer writes, List<Long> done, List<Long> lanes) {
        lanes.forEach(lane -> writes.add(new Lease(1, "me", 1), postpone(lane), () -> done.add(lane)));
    }

    private static FencedWrite postpone(long lane) {
        return new FencedWrite.PostponeLane(new LaneWait(lane, 1, "mail"), 1);
    }

    private FencedWriteBuffer writes() {
        FencedWriteBuffer.RejectionListener listener = new FencedWriteBuffer.RejectionListener() {
            @Override
            public void lost(Lease lease) {
                lost.add(lease);
            }

            @Override
            public void rejected(Lease lease, long lane) {
                rejectedLanes.add(lane);
            }
        };
        return new FencedWriteBuffer(store().writes(), listener, () -> now);
    }

    private RelayStore store() {
        return Ports.through((proxy, method, arguments) -> {
            if (down) {
                throw new StoreException("the database is down", true, null);
            }
            if (method.getName().equals("wake")) {
                return null;
            }
            if (lockedAfter >= 0 && lockedAfter-- == 0) {
                lockedShard = 1;
            }
            Map<Lease, List<FencedWrite>> batch = batch(arguments[0]);
            for (Lease lease : batch.keySet()) {
                if (lease.shard() == lockedShard) {
                    refusedTransactions++;
                    throw new ShardLockedException(lease);
                }
                if (lease.shard() == lostShard) {
                    throw new LeaseLostException(lease);
                }
            }
            if (driverFails) {
                throw new IllegalStateException("the driver's bug");
            }
            if (batch.size() == 1 && batch.values().iterator().next().size() == 1 && fails > 0 && --fails == 0) {
                throw new StoreException("the connection was cut", true, null);
            }
            if (lockedByAnother && batch.toString().contains("lane=" + HELD_LANE)) {
                now += lockWait.toNanos();
                waited += lockWait.toNanos();
                throw new StoreException("held", true, new SQLException("held", lockedState));
            }
            if (diskFullFor > 0 && batch.toString().contains("lane=" + diskFullFor + ",")) {
                refusedTransactions++;
                throw new StoreException("no space left", false, new SQLException("full", fullState));
            }
            written.add(batch.keySet());
            return null;
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<Lease, List<FencedWrite>> batch(Object argument) {
        return (Map<Lease, List<FencedWrite>>) argument;
    }
}
