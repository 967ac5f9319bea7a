package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which lanes a node may bring into memory, when it has locked them and when it gives them back. */
@ExtendWith(SilentLog.class)
class LaneClaimsTest extends LaneClaimsFixture {
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

    @Test
    void lanes_whose_claim_ends_in_an_exception_of_the_driver_are_given_back_too() {
        AtomicBoolean fails = new AtomicBoolean(true);
        LaneClaims flaky = claims(unanswered("tryLock", fails, new IllegalStateException("in the driver")));
        assertThatIllegalStateException().isThrownBy(() -> read(flaky, 1L));
        fails.set(false);
        LaneLocks next = rows(ClaimStrategy.ROW_LOCK.nodePrefix() + "next");
        assertThat(next.tryLock(List.of(1L))).isEmpty();

        flaky.release(lane -> true);

        assertThat(next.tryLock(List.of(1L))).containsExactly(1L);
    }

    private Optional<LaneLocks> unanswered(String lost, AtomicBoolean fails) {
        return unanswered(lost, fails, new StoreException("no answer", true, new SQLException("connection reset")));
    }

    /** Rows of lanes. The database does what this call says, and its answer is lost. */
    private Optional<LaneLocks> unanswered(String lost, AtomicBoolean fails, RuntimeException failure) {
        RelayStore ports = ObservedStore.of(store.portsWithClaimRows(), new ObservedStore.Observer() {
            @Override
            public void after(String call, Object[] arguments, Object result) {
                if (call.equals(lost) && fails.get()) {
                    throw failure;
                }
            }
        });
        String owner = ClaimStrategy.ROW_LOCK.nodePrefix() + "unlucky";
        store.nodes().join(owner, owner, 1);
        ports.locks().orElseThrow().open(owner);
        return ports.locks();
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
    void a_node_holds_some_hundred_lanes_at_most() {
        Long[] many = LongStream.range(0, 700).boxed().toArray(Long[]::new);
        assertThat(read(claims, many)).hasSize(200);
        assertThat(claims.mayTry(600)).isTrue();
        read(claims, many);
        assertThat(read(claims, many)).hasSize(500);
        assertThat(claims.mayTry(600)).isFalse();
    }
}
