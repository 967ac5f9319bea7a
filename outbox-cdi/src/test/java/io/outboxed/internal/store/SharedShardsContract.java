package io.outboxed.internal.store;

import static io.outboxed.internal.store.LockingNodes.locks;
import static io.outboxed.internal.store.LockingNodes.shared;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that claim lanes by locks have all shards together. */
interface SharedShardsContract extends LockingNodes {

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

    private String shareShard() {
        return jdbc().named("SELECT owner FROM outbox_shard WHERE shard = ? "
                + (jdbc().dialect() == Dialect.MARIADB ? "LOCK IN SHARE MODE" : "FOR SHARE"));
    }
}
