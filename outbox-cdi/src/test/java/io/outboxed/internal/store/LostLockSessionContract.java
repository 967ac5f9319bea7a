package io.outboxed.internal.store;

import static io.outboxed.internal.store.LockingNodes.locks;
import static io.outboxed.internal.store.LockingNodes.shared;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A lock session that the server has ended: its lanes are free, and its node decides nothing. */
interface LostLockSessionContract extends LockingNodes {

    @Test
    default void a_session_that_is_killed_has_lost_its_locks_and_decides_nothing() throws Exception {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        Lease lease = shared(one, ONE);
        MessageHead head = publish();
        assertThat(locks(one).tryLock(List.of(StoreContract.LANE))).hasSize(1);
        locks(other).abandon();

        jdbc().stores.kill(one);

        locks(other).open(OTHER);
        Await.until(
                "the lane is free",
                Duration.ofSeconds(20),
                () -> locks(other).tryLock(List.of(StoreContract.LANE)).size() == 1,
                () -> "");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> one.writes().write(Map.of(lease, List.of(resolve(head, retry("A", 0))))));
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> one.writes().write(Map.of(lease, List.of(resolve(head, retry("A", 0))))));
        assertThat(ready()).as("as it was").containsExactly(head);
        assertThat(locks(one).isOpen(ONE)).isFalse();

        locks(one).open(ONE + "-again");
        assertThat(locks(one).isOpen(ONE + "-again")).isTrue();
        assertThatExceptionOfType(LeaseLostException.class)
                .as("under its old name")
                .isThrownBy(() -> one.writes().write(Map.of(lease, List.of(resolve(head, retry("A", 0))))));
    }

    /** Connections that get another session if theirs is gone, and say nothing. */
    default ConnectionSource reconnecting() {
        return new Reconnecting(jdbc().source());
    }

    @Test
    default void a_session_that_is_replaced_behind_its_connection_decides_nothing() throws Exception {
        RelayStore other = open(OTHER);
        Lease others = shared(other, OTHER);
        Lease lease = new Lease(others.shard(), ONE, others.epoch());
        List<Long> lane = List.of(StoreContract.LANE);
        KillableSessions source = new KillableSessions(reconnecting(), jdbc().dialect());
        try (ClaimLocks session = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), LEASE)) {
            session.open(ONE);
            assertThat(session.tryLock(lane)).hasSize(1);
            session.decide(Map.of(lease, lane), LockingNodes::change);
            assertThat(jdbc().effects()).isOne();

            source.kill();

            Await.until(
                    "the lane is free",
                    Duration.ofSeconds(20),
                    () -> locks(other).tryLock(lane).size() == 1,
                    () -> "");
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> session.decide(Map.of(lease, lane), LockingNodes::change));
            assertThat(jdbc().effects()).isOne();
            assertThat(session.owner()).isNull();
        }
    }

    @Test
    default void a_session_that_is_not_used_for_a_lease_is_ended_by_the_server() {
        RelayStore one = open(ONE, Duration.ofSeconds(1));
        RelayStore other = open(OTHER);
        assertThat(locks(one).tryLock(List.of(1L))).hasSize(1);
        Await.until(
                "the lane is free",
                Duration.ofSeconds(20),
                () -> locks(other).tryLock(List.of(1L)).size() == 1,
                () -> "");
        assertThat(locks(one).isOpen(ONE)).isFalse();
    }
}
