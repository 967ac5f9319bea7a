package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StatementLimits;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.LaneLocks.Peer;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.cluster.ShardLockedException;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import io.outboxed.internal.store.jdbc.locks.LaneLockProbe;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Nodes that claim lanes by locks of their sessions, on a database that has such locks. */
interface LaneLocksContract extends JdbcContract {
    Duration LEASE = Duration.ofSeconds(10);
    String ONE = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "one";
    String OTHER = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "other";

    private RelayStore open(String owner) {
        return open(owner, LEASE);
    }

    private RelayStore open(String owner, Duration lease) {
        RelayStore opened = jdbc().newLockingStore(lease);
        opened.locks().orElseThrow().open(owner);
        opened.nodes().join(owner, owner, 1);
        return opened;
    }

    private static LaneLocks locks(RelayStore store) {
        return store.locks().orElseThrow();
    }

    /** The shard of the contract's lane, taken from its owner. */
    static Lease shared(RelayStore node, String owner) {
        Lease observed = node.shards().all().get(StoreContract.SHARD);
        long epoch = node.shards().take(observed, owner).orElseThrow();
        return new Lease(StoreContract.SHARD, owner, epoch);
    }

    private String shareShard() {
        return jdbc().named("SELECT owner FROM outbox_shard WHERE shard = ? "
                + (jdbc().dialect() == Dialect.MARIADB ? "LOCK IN SHARE MODE" : "FOR SHARE"));
    }

    @Test
    default void a_lane_is_locked_by_one_node_until_it_gives_it_back() {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        assertThat(locks(one).tryLock(List.of(1L, -2L, Long.MIN_VALUE))).containsOnly(1L, -2L, Long.MIN_VALUE);
        assertThat(locks(other).tryLock(List.of(1L, -2L, 3L))).containsExactly(3L);

        locks(one).unlock(List.of(1L));
        assertThat(locks(other).tryLock(List.of(1L, -2L))).containsExactly(1L);
    }

    @Test
    default void each_statement_of_the_probe_has_a_limit_for_the_network() {
        StatementLimits source = new StatementLimits(jdbc().source());

        new LaneLockProbe(source, jdbc().dialect(), jdbc().prefix(), LEASE).check();

        assertThat(source.statements()).hasSizeGreaterThan(5).allMatch(statement -> statement.limitMillis() > 0);
    }

    @Test
    default void a_heartbeat_waits_for_the_session_no_longer_than_a_third_of_the_lease() {
        StatementLimits source = new StatementLimits(jdbc().source());
        try (ClaimLocks session = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), Duration.ofSeconds(6))) {
            session.open(ONE);
            int before = source.statements().size();
            assertThat(session.isOpen(ONE)).isTrue();
            session.tryLock(List.of(1L));

            List<Integer> limits = source.statements().stream()
                    .skip(before)
                    .map(StatementLimits.Statement::limitMillis)
                    .toList();
            assertThat(limits).startsWith(2_000).endsWith(6_000);
        }
    }

    /** While another thread waits for an answer, a heartbeat can't ask, and the server ends the session after a lease. */
    @Test
    default void a_statement_on_a_lost_path_ends_after_a_lock_wait_and_before_the_session_of_the_server_does() {
        assertThat(limitOfOtherStatements(Duration.ofSeconds(10))).isEqualTo(6_000);
        assertThat(limitOfOtherStatements(Duration.ofSeconds(30))).isEqualTo(10_000);
        assertThat(limitOfOtherStatements(Duration.ofMinutes(5))).isEqualTo(20_000);
    }

    private int limitOfOtherStatements(Duration lease) {
        StatementLimits source = new StatementLimits(jdbc().source());
        try (ClaimLocks session = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), lease)) {
            session.open(ONE);
            session.tryLock(List.of(1L));
            session.peers();
            return source.statements().stream()
                    .mapToInt(StatementLimits.Statement::limitMillis)
                    .reduce((one, other) -> {
                        assertThat(other).isEqualTo(one);
                        return one;
                    })
                    .orElseThrow();
        }
    }

    @Test
    default void a_node_that_has_stopped_begins_no_session_however_late_its_heartbeat_is() {
        ClaimLocks session = new ClaimLocks(jdbc().source(), jdbc().dialect(), jdbc().prefix(), LEASE);
        session.open(ONE);
        session.close();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> session.open(OTHER))
                .withMessageContaining("its node has stopped");
        assertThat(session.owner()).isNull();
        assertThat(locks(open(ONE)).isOpen(ONE)).isTrue();
    }

    @Test
    default void a_connection_is_closed_when_an_error_keeps_it_from_becoming_a_session() throws SQLException {
        List<Connection> opened = new ArrayList<>();
        ConnectionSource source = new MemoryShortage(jdbc().source(), opened::add);
        try (ClaimLocks session = new ClaimLocks(source, jdbc().dialect(), jdbc().prefix(), LEASE)) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> session.open(ONE));
        }
        assertThat(opened).hasSize(1);
        assertThat(opened.get(0).isClosed()).isTrue();
    }

    @Test
    default void hundreds_of_lanes_are_locked_and_given_back_at_once() {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        List<Long> lanes = LongStream.range(0, 500).boxed().toList();
        assertThat(locks(one).tryLock(lanes)).hasSize(500);
        assertThat(locks(other).tryLock(lanes)).isEmpty();
        locks(one).unlock(lanes);
        assertThat(locks(other).tryLock(lanes)).hasSize(500);
    }

    @Test
    default void other_tables_have_other_locks() throws Exception {
        RelayStore one = open(ONE);
        jdbc().run("CREATE TABLE IF NOT EXISTS elsewhere_message (seq BIGINT)");
        RelayStore elsewhere = jdbc().newLockingStore(LEASE, "elsewhere_");
        locks(elsewhere).open(OTHER);
        assertThat(locks(one).tryLock(List.of(1L))).containsExactly(1L);
        assertThat(locks(elsewhere).tryLock(List.of(1L))).containsExactly(1L);
    }

    @Test
    default void a_schema_that_some_nodes_name_and_others_leave_to_the_connection_has_the_same_locks()
            throws Exception {
        String own = jdbc().dialect().isMySqlFamily()
                ? jdbc().admin.getCatalog()
                : jdbc().admin.getSchema();
        RelayStore unnamed = open(ONE);
        RelayStore named = jdbc().newLockingStore(LEASE, own + "." + jdbc().prefix());
        locks(named).open(OTHER);
        assertThat(locks(unnamed).tryLock(List.of(1L))).containsExactly(1L);
        assertThat(locks(named).tryLock(List.of(1L))).isEmpty();
        assertThat(locks(named).present(List.of(ONE))).containsExactly(ONE);

        jdbc().run("CREATE SCHEMA IF NOT EXISTS outbox2");
        jdbc().run("CREATE TABLE IF NOT EXISTS outbox2.outbox_message (seq BIGINT)");
        RelayStore another = jdbc().newLockingStore(LEASE, "outbox2." + jdbc().prefix());
        locks(another).open(OTHER);
        assertThat(locks(another).tryLock(List.of(1L))).containsExactly(1L);
    }

    @Test
    default void a_node_is_present_for_the_others_while_its_session_lasts() throws Exception {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        assertThat(locks(one).peers()).containsExactly(new Peer(OTHER, false));
        assertThat(locks(one).present(List.of(OTHER, "locks-unknown"))).containsExactly(OTHER);

        locks(other).abandon();
        Await.until(
                "its lock is free",
                Duration.ofSeconds(20),
                () -> locks(one).present(List.of(OTHER)).isEmpty(),
                () -> "");
        assertThat(locks(one).peers()).as("its row is alive").containsExactly(new Peer(OTHER, false));
        assertThat(locks(other).isOpen(OTHER)).isFalse();
        assertThat(locks(other).tryLock(List.of(1L))).as("without a session").isEmpty();

        NodeHeartbeat observed = one.nodes().live().stream()
                .filter(node -> node.owner().equals(OTHER))
                .findFirst()
                .orElseThrow();
        assertThat(one.nodes().declareDead(observed)).isTrue();
        assertThat(locks(one).peers()).containsExactly(new Peer(OTHER, true));
    }

    @Test
    default void nodes_without_locks_are_no_peers_before_they_are_dead() {
        RelayStore one = open(ONE);
        store().nodes().join("plain", "plain", 1);
        assertThat(locks(one).peers()).isEmpty();
        assertThat(store().nodes().declareDead(new NodeHeartbeat("plain", "plain", 1, 0)))
                .isTrue();
        assertThat(locks(one).peers()).containsExactly(new Peer("plain", true));
    }

    @Test
    default void a_session_that_is_killed_has_lost_its_locks_and_decides_nothing() throws Exception {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        Lease lease = shared(one, ONE);
        MessageHead head = publish();
        assertThat(locks(one).tryLock(List.of(StoreContract.LANE))).hasSize(1);
        locks(other).abandon();

        jdbc().kill(one);

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
            session.decide(Map.of(lease, lane), LaneLocksContract::change);
            assertThat(jdbc().effects()).isOne();

            source.kill();

            Await.until(
                    "the lane is free",
                    Duration.ofSeconds(20),
                    () -> locks(other).tryLock(lane).size() == 1,
                    () -> "");
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> session.decide(Map.of(lease, lane), LaneLocksContract::change));
            assertThat(jdbc().effects()).isOne();
            assertThat(session.owner()).isNull();
        }
    }

    static int change(Jdbc jdbc) throws SQLException {
        return jdbc.update("UPDATE effect SET amount = amount + 1 WHERE id = 3");
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

    @Test
    default void decisions_of_several_nodes_do_not_exclude_each_other_but_an_operator_excludes_them() throws Exception {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        Lease lease = shared(one, ONE);
        Lease others = new Lease(lease.shard(), OTHER, lease.epoch());
        MessageHead first = publish();
        try (Connection operator = jdbc().open()) {
            operator.setAutoCommit(false);
            new Jdbc(operator, jdbc().dialect())
                    .exists(jdbc().named("SELECT owner FROM outbox_shard WHERE shard = ? FOR UPDATE"), lease.shard());
            assertThatExceptionOfType(ShardLockedException.class)
                    .isThrownBy(() -> one.writes().write(Map.of(lease, List.of(resolve(first, retry("A", 0))))));
            operator.rollback();
            new Jdbc(operator, jdbc().dialect()).exists(shareShard(), lease.shard());
            assertThatCode(() -> other.writes().write(Map.of(others, List.of(resolve(first, retry("A", 0))))))
                    .as("while another node's decision is not committed")
                    .doesNotThrowAnyException();
            operator.rollback();
        }
        assertThat(locks(one).isOpen(ONE)).isTrue();
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void shards_are_shared_by_all_nodes_with_locks_and_taken_by_no_other() {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        Lease lease = shared(one, ONE);
        assertThat(one.shards().all().get(lease.shard())).isEqualTo(new Lease(lease.shard(), ONE, lease.epoch()));
        assertThat(other.shards().all().get(lease.shard())).isEqualTo(new Lease(lease.shard(), OTHER, lease.epoch()));
        Lease stored = store().shards().all().get(lease.shard());
        assertThat(stored.owner()).isEqualTo(ClaimStrategy.ADVISORY_LOCK.shardOwner());
        assertThat(stored.isShared()).isTrue();

        one.shards().release(List.of(lease));
        assertThat(store().shards().all().get(lease.shard())).isEqualTo(stored);
    }

    @Test
    default void a_shard_that_a_node_without_locks_hands_over_is_shared() {
        RelayStore one = open(ONE);
        assertThat(store().shards().handOver(lease(), ONE)).isTrue();
        one.shards().all();
        Lease stored = store().shards().all().get(lease().shard());
        assertThat(stored.isShared()).isTrue();
        assertThat(one.shards().all().get(lease().shard()).owner()).isEqualTo(ONE);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> store().writes().write(Map.of(lease(), List.of())));
    }

    @Test
    default void one_node_leads() {
        RelayStore one = open(ONE);
        RelayStore other = open(OTHER);
        assertThat(locks(one).leads()).isTrue();
        assertThat(locks(other).leads()).isFalse();
        assertThat(locks(one).leads()).as("asked again").isTrue();
        locks(one).abandon();
        assertThat(locks(one).leads()).as("without a session").isFalse();
        Await.until(
                "the other leads", Duration.ofSeconds(20), () -> locks(other).leads(), () -> "");
    }

    @Test
    default void the_probe_accepts_this_database_and_refuses_a_pooler_that_shares_sessions() throws Exception {
        new LaneLockProbe(jdbc().source(), jdbc().dialect(), jdbc().prefix(), LEASE).check();
        try (SharedSessions pooler = new SharedSessions(jdbc().source())) {
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> new LaneLockProbe(pooler, jdbc().dialect(), jdbc().prefix(), LEASE).check())
                    .withMessageContaining("OUTBOX-0314");
        }
    }

    @Test
    default void a_session_of_the_probe_that_is_lost_says_nothing_about_the_database() {
        ConnectionSource lost = new LostHolder(jdbc().source(), jdbc().dialect());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new LaneLockProbe(lost, jdbc().dialect(), jdbc().prefix(), LEASE).check())
                .matches(StoreException::isTransient);
    }
}
