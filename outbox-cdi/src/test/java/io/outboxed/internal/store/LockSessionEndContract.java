package io.outboxed.internal.store;

import static io.outboxed.internal.store.LockingNodes.change;
import static io.outboxed.internal.store.LockingNodes.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What ends the session of a node that claims lanes by locks, although its connection is in order. */
interface LockSessionEndContract extends LockingNodes {

    @Test
    default void a_session_whose_driver_fails_amid_a_claim_ends_and_keeps_no_lane_from_the_others() {
        FailingDriver source = new FailingDriver(jdbc().source(), takingLocks());
        List<Long> lanes = LongStream.range(0, 100).boxed().toList();
        try (ClaimLocks locks = locks(source)) {
            locks.open(ONE);
            source.failAt(2);
            assertThatIllegalStateException().isThrownBy(() -> locks.tryLock(lanes));

            requireEnded(locks, lanes);
        }
    }

    @Test
    default void a_session_whose_driver_fails_amid_a_decision_ends_and_keeps_no_lane_from_the_others() {
        Lease lease = sharedLease();
        FailingDriver source = new FailingDriver(jdbc().source(), "UPDATE effect");
        List<Long> lane = List.of(StoreContract.LANE);
        try (ClaimLocks locks = holding(lane, source)) {
            source.failAt(2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.decide(Map.of(lease, lane), jdbc -> change(jdbc) + change(jdbc)));

            requireEnded(locks, lane);
            assertThat(jdbc().effects()).isZero();
        }
    }

    /** Such as one that a newer version has written. */
    @Test
    default void a_row_that_a_decision_does_not_understand_leaves_the_session_open() {
        Lease lease = sharedLease();
        List<Long> lane = List.of(StoreContract.LANE);
        try (ClaimLocks locks = holding(lane, jdbc().source())) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> locks.decide(Map.of(lease, lane), jdbc -> {
                        change(jdbc);
                        throw new StoreException("an unknown state", false, null);
                    }));

            assertThat(locks.owner()).isEqualTo(ONE);
            assertThat(jdbc().effects()).isZero();
            assertThat(locks.decide(Map.of(lease, lane), LockingNodes::change)).isEqualTo(1);
        }
    }

    private Lease sharedLease() {
        RelayStore sharing = jdbc().stores.withLocks(LEASE);
        sharing.locks().orElseThrow().open(OTHER);
        Lease others = shared(sharing, OTHER);
        sharing.locks().orElseThrow().abandon();
        return new Lease(others.shard(), ONE, others.epoch());
    }

    @Test
    default void a_session_whose_driver_fails_at_a_heartbeat_ends_and_keeps_no_lane_from_the_others() {
        FailingDriver source = new FailingDriver(jdbc().source(), "AS writable");
        List<Long> lane = List.of(StoreContract.LANE);
        try (ClaimLocks locks = holding(lane, source)) {
            source.failAt(1);
            assertThatIllegalStateException().isThrownBy(() -> locks.isOpen(ONE));

            requireEnded(locks, lane);
        }
    }

    private void requireEnded(ClaimLocks locks, List<Long> lanes) {
        assertThat(locks.owner()).isNull();
        try (ClaimLocks other = locks(jdbc().source())) {
            other.open(OTHER);
            Await.until(
                    "all lanes are free",
                    Duration.ofSeconds(20),
                    () -> other.tryLock(lanes).size() == lanes.size(),
                    () -> "");
        }
    }

    /** @param next a session that has not begun */
    static void endsOnReadOnlyServer(ClaimLocks locks, ClaimLocks next) {
        assertThat(locks.isOpen(ONE)).isFalse();
        assertThat(locks.owner()).isNull();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> next.open(OTHER))
                .matches(SqlFailure::isConnectionLost)
                .withMessageContaining("read-only");
    }

    private ClaimLocks holding(List<Long> lanes, ConnectionSource source) {
        ClaimLocks locks = locks(source);
        locks.open(ONE);
        assertThat(locks.tryLock(lanes)).hasSameSizeAs(lanes);
        return locks;
    }

    private ClaimLocks locks(ConnectionSource source) {
        return new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), LEASE);
    }
}
