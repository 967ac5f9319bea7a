package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What ends the session of a node that claims lanes by locks, although its connection is in order. */
interface LockSessionEndContract extends JdbcContract {

    @Test
    default void a_session_whose_driver_fails_amid_a_claim_ends_and_keeps_no_lane_from_the_others() {
        FailingDriver source = new FailingDriver(jdbc().source(), takingLocks());
        List<Long> lanes = LongStream.range(0, 100).boxed().toList();
        try (ClaimLocks locks = locks(source)) {
            locks.open(LaneLocksContract.ONE);
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
                    .isThrownBy(() -> locks.decide(
                            Map.of(lease, lane),
                            jdbc -> LaneLocksContract.change(jdbc) + LaneLocksContract.change(jdbc)));

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
                        LaneLocksContract.change(jdbc);
                        throw new StoreException("an unknown state", false, null);
                    }));

            assertThat(locks.owner()).isEqualTo(LaneLocksContract.ONE);
            assertThat(jdbc().effects()).isZero();
            assertThat(locks.decide(Map.of(lease, lane), LaneLocksContract::change))
                    .isEqualTo(1);
        }
    }

    private Lease sharedLease() {
        RelayStore sharing = jdbc().newLockingStore(LaneLocksContract.LEASE);
        sharing.locks().orElseThrow().open(LaneLocksContract.OTHER);
        Lease others = LaneLocksContract.shared(sharing, LaneLocksContract.OTHER);
        sharing.locks().orElseThrow().abandon();
        return new Lease(others.shard(), LaneLocksContract.ONE, others.epoch());
    }

    @Test
    default void a_session_whose_driver_fails_at_a_heartbeat_ends_and_keeps_no_lane_from_the_others() {
        FailingDriver source = new FailingDriver(jdbc().source(), "AS writable");
        List<Long> lane = List.of(StoreContract.LANE);
        try (ClaimLocks locks = holding(lane, source)) {
            source.failAt(1);
            assertThatIllegalStateException().isThrownBy(() -> locks.isOpen(LaneLocksContract.ONE));

            requireEnded(locks, lane);
        }
    }

    @Test
    default void a_connection_whose_driver_fails_at_the_lock_of_its_node_is_closed() throws SQLException {
        List<Connection> opened = new ArrayList<>();
        FailingDriver source = new FailingDriver(
                () -> {
                    opened.add(jdbc().source().open());
                    return opened.get(0);
                },
                takingLocks());
        source.failAt(1);
        try (ClaimLocks locks = locks(source)) {
            assertThatIllegalStateException().isThrownBy(() -> locks.open(LaneLocksContract.ONE));

            assertThat(opened).hasSize(1);
            assertThat(opened.get(0).isClosed()).isTrue();
        }
    }

    private String takingLocks() {
        return jdbc().dialect().isMySqlFamily() ? "GET_LOCK" : "pg_try_advisory_lock";
    }

    private void requireEnded(ClaimLocks locks, List<Long> lanes) {
        assertThat(locks.owner()).isNull();
        try (ClaimLocks other = locks(jdbc().source())) {
            other.open(LaneLocksContract.OTHER);
            Await.until(
                    "all lanes are free",
                    Duration.ofSeconds(20),
                    () -> other.tryLock(lanes).size() == lanes.size(),
                    () -> "");
        }
    }

    /** @param next a session that has not begun */
    static void endsOnReadOnlyServer(ClaimLocks locks, ClaimLocks next) {
        assertThat(locks.isOpen(LaneLocksContract.ONE)).isFalse();
        assertThat(locks.owner()).isNull();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> next.open(LaneLocksContract.OTHER))
                .matches(SqlFailure::isConnectionLost)
                .withMessageContaining("read-only");
    }

    private ClaimLocks holding(List<Long> lanes, ConnectionSource source) {
        ClaimLocks locks = locks(source);
        locks.open(LaneLocksContract.ONE);
        assertThat(locks.tryLock(lanes)).hasSameSizeAs(lanes);
        return locks;
    }

    private ClaimLocks locks(ConnectionSource source) {
        return new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), LaneLocksContract.LEASE);
    }
}
