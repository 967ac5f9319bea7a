package io.outboxed.internal.store;

import static io.outboxed.internal.store.LockingNodes.locks;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.cluster.LaneLocks.Peer;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who has a lane, who is present and who leads, as locks of sessions say it. */
interface LaneLocksContract extends LockingNodes {

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
        RelayStore elsewhere = jdbc().stores.withLocks(LEASE, "elsewhere_");
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
        RelayStore named = jdbc().stores.withLocks(LEASE, own + "." + jdbc().prefix());
        locks(named).open(OTHER);
        assertThat(locks(unnamed).tryLock(List.of(1L))).containsExactly(1L);
        assertThat(locks(named).tryLock(List.of(1L))).isEmpty();
        assertThat(locks(named).present(List.of(ONE))).containsExactly(ONE);

        jdbc().run("CREATE SCHEMA IF NOT EXISTS outbox2");
        jdbc().run("CREATE TABLE IF NOT EXISTS outbox2.outbox_message (seq BIGINT)");
        RelayStore another = jdbc().stores.withLocks(LEASE, "outbox2." + jdbc().prefix());
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
}
