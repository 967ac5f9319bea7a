package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.MemoryLockSession;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SilentLog.class)
class LaneClaimsTest {
    private static final String ONE = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "one";
    private static final String OTHER = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "other";

    private long now = Duration.ofHours(1).toNanos();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final AtomicInteger deaths = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final MemoryLockSession other = node(OTHER);
    private final MemoryLockSession mine = node(ONE);
    private final LaneClaims claims = claims(Optional.of(mine));

    private MemoryLockSession node(String owner) {
        MemoryLockSession session = store.lockSession(Duration.ofHours(1).toNanos() / 1000);
        session.open(owner);
        store.nodes().join(owner, owner, 1);
        return session;
    }

    private LaneClaims claims(Optional<LaneLocks> locks) {
        return new LaneClaims(locks, deaths::incrementAndGet, () -> now);
    }

    /** @return those that may be brought into memory */
    private List<Long> read(LaneClaims by, Long... lanes) {
        List<Long> unclaimed =
                List.of(lanes).stream().filter(lane -> !by.mayBringIn(lane)).toList();
        by.lock(
                unclaimed,
                locked -> {
                    reads.incrementAndGet();
                    return List.of();
                },
                rows -> Set.of());
        return List.of(lanes).stream().filter(by::mayBringIn).toList();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void a_lane_that_waits_for_a_handler_of_a_newer_node_is_left_to_it_for_a_while() {
        claims.newerNode(now);
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
        claims.leaveToNewer(1L, now, 0);
        claims.release(lane -> false);

        assertThat(read(claims, 1L, 2L)).containsExactly(2L);
        pass(Duration.ofSeconds(4));
        assertThat(read(claims, 1L, 2L)).containsExactly(2L);
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
    }

    @Test
    void a_newer_node_has_its_chance_when_the_deferred_row_is_due() {
        claims.newerNode(now);
        claims.leaveToNewer(1L, now, Duration.ofSeconds(5).toNanos());
        claims.leaveToNewer(2L, now, Duration.ofDays(1).toNanos());
        assertThat(read(claims, 1L, 2L)).isEmpty();

        pass(Duration.ofSeconds(9));
        assertThat(read(claims, 1L, 2L)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L, 2L)).containsExactly(1L);
        pass(Duration.ofSeconds(25));
        assertThat(read(claims, 1L, 2L)).as("at most half a minute more").containsExactly(1L, 2L);
    }

    @Test
    void without_a_newer_node_no_lane_is_left() {
        claims.leaveToNewer(1L, now, 0);
        assertThat(read(claims, 1L)).containsExactly(1L);

        claims.newerNode(now);
        pass(Duration.ofSeconds(5));
        claims.leaveToNewer(2L, now, 0);
        assertThat(read(claims, 2L)).as("it is gone").containsExactly(2L);
    }

    @Test
    void with_shards_every_lane_is_included_and_none_is_claimed() {
        LaneClaims shards = claims(Optional.empty());
        assertThat(read(shards, 1L, 2L)).containsExactly(1L, 2L);
        assertThat(reads).hasValue(0);
        assertThat(shards.mayTry(3)).isFalse();
        assertThat(shards.leads(now)).isTrue();
    }

    @Test
    void rows_are_read_once_their_lanes_are_locked() {
        other.tryLock(List.of(3L));
        List<Long> lockedBefore = new ArrayList<>();
        List<MessageHead> broughtIn = new ArrayList<>();
        MessageHead head = store.insert(UUID.randomUUID(), "placed", 1, 0, 0, "{}");

        boolean any = claims.lock(
                List.of(1L, 2L, 3L),
                locked -> {
                    lockedBefore.addAll(locked);
                    assertThat(other.tryLock(locked)).isEmpty();
                    return List.of(head);
                },
                rows -> {
                    broughtIn.addAll(rows);
                    return Set.of();
                });

        assertThat(any).isTrue();
        assertThat(lockedBefore).containsExactlyInAnyOrder(1L, 2L);
        assertThat(broughtIn).containsExactly(head);
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
        assertThat(reads).as("its locks are there").hasValue(0);
    }

    @Test
    void a_read_that_fails_gives_the_lanes_back() {
        assertThatIllegalStateException()
                .isThrownBy(() -> claims.lock(
                        List.of(1L),
                        locked -> {
                            throw new IllegalStateException("connection lost");
                        },
                        rows -> Set.of()));
        assertThat(claims.mayBringIn(1)).isFalse();
        claims.release(lane -> true);
        assertThat(other.tryLock(List.of(1L))).containsExactly(1L);
    }

    @Test
    void a_lane_whose_return_fails_is_returned_again_and_not_claimed_before() {
        AtomicBoolean fails = new AtomicBoolean(true);
        LaneClaims flaky = claims(unanswered("unlock", fails));
        read(flaky, 1L, 2L);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> flaky.release(lane -> lane == 2));

        assertThat(flaky.mayBringIn(2)).isTrue();
        assertThat(flaky.mayBringIn(1)).isFalse();
        assertThat(flaky.mayTry(1))
                .as("the first statement may end after the claim")
                .isFalse();
        assertThat(read(flaky, 1L)).isEmpty();
        fails.set(false);
        flaky.release(lane -> true);
        assertThat(read(flaky, 1L)).containsExactly(1L);
    }

    @Test
    void lanes_whose_claim_is_not_answered_are_given_back() {
        AtomicBoolean fails = new AtomicBoolean(true);
        LaneClaims flaky = claims(unanswered("tryLock", fails));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> read(flaky, 1L));
        fails.set(false);
        LaneLocks next = rows(ClaimStrategy.ROW_LOCK.nodePrefix() + "next");
        assertThat(next.tryLock(List.of(1L))).isEmpty();

        flaky.release(lane -> true);

        assertThat(next.tryLock(List.of(1L))).containsExactly(1L);
    }

    /** Rows of lanes. The database does what this call says, and its answer is lost. */
    private Optional<LaneLocks> unanswered(String lost, AtomicBoolean fails) {
        RelayStore ports = ObservedStore.of(store.portsWithClaimRows(), new ObservedStore.Observer() {
            @Override
            public void after(String call, Object[] arguments, Object result) {
                if (call.equals(lost) && fails.get()) {
                    throw new StoreException("no answer", true, new SQLException("connection reset"));
                }
            }
        });
        String owner = ClaimStrategy.ROW_LOCK.nodePrefix() + "unlucky";
        store.nodes().join(owner, owner, 1);
        ports.locks().orElseThrow().open(owner);
        return ports.locks();
    }

    @Test
    void a_lane_that_was_dropped_stays_until_its_rows_are_read_again() {
        read(claims, 1L, 2L);
        claims.dropped(1);
        assertThat(claims.mayBringIn(1)).as("its first rows must come first").isFalse();
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L, 2L))).containsExactly(2L);

        List<Long> readAgain = new ArrayList<>();
        claims.readDropped(
                lanes -> {
                    readAgain.addAll(lanes);
                    return List.of();
                },
                rows -> {});
        assertThat(readAgain).containsExactly(1L);
        assertThat(claims.mayBringIn(1)).isTrue();
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L))).containsExactly(1L);
    }

    @Test
    void a_read_of_dropped_lanes_that_fails_is_repeated() {
        read(claims, 1L);
        claims.dropped(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> claims.readDropped(
                        lanes -> {
                            throw new IllegalStateException("connection lost");
                        },
                        rows -> {}));
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L))).isEmpty();
    }

    @Test
    void lanes_without_room_are_left_to_other_nodes() {
        assertThat(claims.lock(List.of(1L, 2L), locked -> List.of(), rows -> Set.of(2L)))
                .isTrue();
        assertThat(claims.mayBringIn(2)).as("its lock is given back").isFalse();
        assertThat(claims.holds(2)).isFalse();

        claims.release(lane -> true);
        assertThat(other.tryLock(List.of(1L, 2L))).containsExactly(2L);
        assertThat(claims.mayTry(2)).as("not at once").isFalse();
        other.unlock(List.of(2L));
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
    }

    @Test
    void if_all_are_left_to_other_nodes_none_is_claimed() {
        assertThat(claims.lock(List.of(1L, 2L), locked -> List.of(), rows -> Set.of(1L, 2L)))
                .isFalse();
    }

    @Test
    void a_lane_that_is_left_waits_from_the_time_at_which_it_is() {
        claims.lock(List.of(1L), locked -> List.of(), rows -> {
            pass(Duration.ofSeconds(3));
            return Set.of(1L);
        });
        claims.release(lane -> true);
        assertThat(read(claims, 1L)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(read(claims, 1L)).containsExactly(1L);
    }

    @Test
    void dropped_lanes_that_can_not_be_brought_in_stay_until_they_are_read_again() {
        read(claims, 1L);
        claims.dropped(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> claims.readDropped(locked -> List.of(), rows -> {
                    assertThat(claims.mayBringIn(1)).isTrue();
                    throw new IllegalStateException("connection lost");
                }));
        claims.release(lane -> false);
        assertThat(other.tryLock(List.of(1L))).isEmpty();
        assertThat(claims.mayBringIn(1)).isFalse();
    }

    @Test
    void without_room_for_locks_none_is_asked_for_during_a_second_and_the_session_goes_on() {
        read(claims, 1L);
        mine.room = 1;
        assertThat(read(claims, 1L, 2L, 3L)).containsExactly(1L);
        mine.room = Integer.MAX_VALUE;
        assertThat(claims.isFull(now)).isTrue();
        assertThat(other.tryLock(List.of(2L))).as("what the attempt has locked").containsExactly(2L);
        other.unlock(List.of(2L));
        assertThat(read(claims, 1L, 2L, 3L)).containsExactly(1L);
        pass(Duration.ofSeconds(1));
        assertThat(claims.isFull(now)).isFalse();
        assertThat(read(claims, 1L, 2L, 3L)).as("fewer at first").containsExactly(1L, 2L);
        assertThat(read(claims, 1L, 2L, 3L)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void with_room_for_some_locks_fewer_are_asked_for_until_they_fit() {
        mine.room = 10;
        Long[] lanes = LongStream.rangeClosed(1, 40).boxed().toArray(Long[]::new);
        for (int second = 0; second < 2; second++) {
            assertThat(read(claims, lanes)).isEmpty();
            pass(Duration.ofSeconds(1));
        }
        assertThat(read(claims, lanes)).hasSize(10);

        mine.room = Integer.MAX_VALUE;
        assertThat(read(claims, lanes)).hasSize(30);
        assertThat(read(claims, lanes)).hasSize(40);
    }

    @Test
    void without_room_to_ask_for_other_nodes_no_lane_is_claimed_and_the_session_goes_on() {
        mine.roomToAsk = false;
        assertThat(read(claims, 1L)).isEmpty();
        assertThat(claims.leads(now)).isFalse();
        claims.release(lane -> true);
        assertThat(other.tryLock(List.of(1L))).containsExactly(1L);
        other.unlock(List.of(1L));
        mine.roomToAsk = true;
        pass(Duration.ofSeconds(2));
        assertThat(read(claims, 1L)).containsExactly(1L);
        assertThat(claims.leads(now)).isTrue();
    }

    @Test
    void without_room_to_ask_half_as_many_lanes_are_tried_next() {
        mine.roomToAsk = false;
        assertThat(read(claims, 1L, 2L, 3L, 4L)).isEmpty();
        claims.release(lane -> true);
        mine.roomToAsk = true;
        pass(Duration.ofSeconds(1));

        assertThat(read(claims, 1L, 2L, 3L, 4L)).containsExactly(1L, 2L);
    }

    @Test
    void a_node_with_rows_leads_until_one_joins_that_comes_first() {
        String prefix = ClaimStrategy.ROW_LOCK.nodePrefix();
        LaneClaims later = claims(Optional.of(rows(prefix + "2")));
        assertThat(later.leads(now)).isTrue();

        LaneClaims earlier = claims(Optional.of(rows(prefix + "1")));
        assertThat(earlier.leads(now)).isTrue();
        pass(Duration.ofSeconds(2));
        assertThat(later.leads(now)).isFalse();
        assertThat(earlier.leads(now)).isTrue();
    }

    private LaneLocks rows(String owner) {
        LaneLocks rows = store.portsWithClaimRows().locks().orElseThrow();
        store.nodes().join(owner, owner, 1);
        rows.open(owner);
        return rows;
    }

    @Test
    void lanes_of_another_node_are_left_out_and_tried_again_later() {
        other.tryLock(List.of(1L));
        assertThat(read(claims, 1L, 2L)).containsExactly(2L);
        other.unlock(List.of(1L));
        assertThat(claims.mayTry(1)).isFalse();
        assertThat(read(claims, 1L, 2L)).as("not yet").containsExactly(2L);
        pass(Duration.ofMillis(100));
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
    }

    @Test
    void a_lane_is_given_back_when_it_is_not_used_any_more() {
        read(claims, 1L, 2L);
        claims.release(lane -> lane == 1);
        assertThat(claims.mayBringIn(1)).isTrue();
        assertThat(claims.mayBringIn(2)).isFalse();
        assertThat(other.tryLock(List.of(1L, 2L))).containsExactly(2L);
    }

    @Test
    void no_lane_is_claimed_while_a_node_that_counts_as_alive_has_lost_its_locks() {
        NodeHeartbeat observed = store.nodes().live().get(0);
        other.end();
        assertThat(read(claims, 1L)).isEmpty();
        claims.release(lane -> true);
        assertThat(deaths).hasValue(0);
        pass(Duration.ofMillis(100));

        assertThat(store.nodes().declareDead(observed)).isTrue();
        assertThat(claims.anyDied()).isFalse();
        assertThat(read(claims, 1L)).containsExactly(1L);
        assertThat(deaths).as("before lane 1 is included").hasValue(1);
        assertThat(claims.anyDied()).isTrue();
    }

    @Test
    void what_a_dead_node_was_running_is_taken_into_account_when_its_locks_are_free() {
        store.nodes().declareDead(store.nodes().live().get(0));
        other.tryLock(List.of(1L));
        assertThat(read(claims, 1L, 2L)).containsExactly(2L);
        assertThat(deaths).hasValue(0);
        pass(Duration.ofMillis(100));
        other.end();
        assertThat(read(claims, 1L, 2L)).containsExactly(1L, 2L);
        assertThat(deaths).hasValue(1);
        assertThat(read(claims, 3L)).containsExactly(3L);
        assertThat(deaths).as("once").hasValue(1);
    }

    @Test
    void a_node_that_has_left_holds_up_nobody() {
        store.nodes().leave(OTHER);
        other.abandon();
        assertThat(read(claims, 1L)).containsExactly(1L);
        assertThat(deaths).hasValue(0);
    }

    @Test
    void a_node_holds_some_hundred_lanes_at_most() {
        Long[] many = LongStream.range(0, 700).boxed().toArray(Long[]::new);
        assertThat(read(claims, many)).hasSize(200);
        assertThat(claims.mayTry(600)).isTrue();
        read(claims, many);
        assertThat(read(claims, many)).hasSize(500);
        assertThat(claims.mayTry(600)).isFalse();
    }

    @Test
    void without_a_session_nothing_is_claimed() {
        read(claims, 1L);
        mine.end();
        assertThat(read(claims, 1L, 2L))
                .as("what it has counts until it has lost its lease")
                .containsExactly(1L);
        claims.lostAll();
        assertThat(read(claims, 1L, 2L)).isEmpty();
    }

    @Test
    void a_session_that_ends_while_rows_are_read_proves_nothing() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> claims.lock(
                        List.of(1L),
                        locked -> {
                            mine.end();
                            return List.of();
                        },
                        rows -> Set.of()));
        assertThat(claims.mayBringIn(1)).isFalse();
    }

    @Test
    void locks_that_were_taken_in_the_next_session_are_not_forgotten() {
        mine.open(ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "again");
        store.nodes().join(ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "again", "again", 1);
        store.nodes().leave(ONE);
        read(claims, 1L);
        claims.lostAll();
        assertThat(other.tryLock(List.of(1L))).containsExactly(1L);
    }
}
