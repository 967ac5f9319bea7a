package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.laneOf;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Locks and snapshots of open transactions: what they must not hold up, and what they must not hide. */
interface LockHazardsContract extends JdbcContract {

    /** A delivery that can be prepared. */
    default JdbcDelivery beginDoubtful() throws SQLException {
        return jdbc().begin();
    }

    /** Votes yes: the rest is up to a coordinator that does not answer. */
    default void prepare(JdbcDelivery delivery) throws SQLException {}

    /** The coordinator is back: commit. */
    default void commitPrepared(JdbcDelivery delivery) throws SQLException {
        delivery.commit();
    }

    @Test
    default void many_rows_are_acknowledged_parked_and_started_beside_an_uncommitted_insert() throws Exception {
        for (int isolation : List.of(TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ)) {
            List<MessageHead> heads = publishMany(500);
            jdbc().analyze();
            try (Connection business = jdbc().open()) {
                business.setTransactionIsolation(isolation);
                business.setAutoCommit(false);
                jdbc().insert(business, Draft.inLane(LANE));
                assertThat(start(lease(), heads)).hasSize(500);
                write(new FencedWrite.Park(LANE, heads));
                store().acks()
                        .acknowledge(heads.stream()
                                .map(head -> acknowledged(head.withVersion(2), "A", AckMode.ADD_DONE_ROW))
                                .toList());
                store().acks()
                        .acknowledge(heads.stream()
                                .map(head -> acknowledged(head.withVersion(3), "B", AckMode.DELETE_MESSAGE))
                                .toList());
                assertThat(jdbc().messageRows()).isZero();
                assertThat(jdbc().deliveryRows()).isZero();
                business.rollback();
            }
        }
    }

    private List<MessageHead> publishMany(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            jdbc().insert(jdbc().admin, Draft.inLane(LANE));
        }
        return ready();
    }

    @Test
    default void a_prepared_delivery_holds_up_neither_a_takeover_nor_other_messages() throws Exception {
        MessageHead doubtful = publish();
        MessageHead behind = publish();
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        try (JdbcDelivery prepared = beginDoubtful()) {
            prepared.claim(doubtful);
            prepared.acknowledge(doubtful, "A", AckMode.DELETE_MESSAGE);
            prepare(prepared);
            try {
                Lease successor = takeShard(SHARD, "successor");
                assertThat(start(successor, List.of(doubtful, behind, other)))
                        .as("nothing of the lane")
                        .containsExactly(other.id());
                store().writes()
                        .write(Map.of(successor, List.of(new FencedWrite.Park(LANE, List.of(doubtful, behind)))));
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> store().acks()
                                .acknowledge(List.of(
                                        acknowledged(doubtful, "B", AckMode.ADD_DONE_ROW),
                                        acknowledged(other.withVersion(1), "A", AckMode.DELETE_MESSAGE))))
                        .satisfies(e -> assertThat(e.isRowLocked()).isTrue());
                assertThat(store().reads().lane(LANE, 10))
                        .extracting(MessageHead::id)
                        .containsExactly(doubtful.id(), behind.id());
                assertThat(ready()).containsExactly(doubtful);
            } finally {
                commitPrepared(prepared);
            }
        }
        assertThat(jdbc().messageRows()).isEqualTo(1);
    }

    @Test
    default void a_shard_locked_by_a_frozen_decision_is_left_for_the_next_round() throws Exception {
        store().nodes().join("me", "host", 1);
        Lease next = takeShard(SHARD + 1, "me");
        try (Connection frozen = jdbc().open()) {
            frozen.setAutoCommit(false);
            new Jdbc(frozen, jdbc().dialect())
                    .exists(jdbc().named("SELECT epoch FROM outbox_shard WHERE shard = ? FOR UPDATE"), SHARD);
            Lease observed = store().shards().all().get(SHARD);
            assertThat(store().shards().take(observed, "successor")).isEmpty();
            assertThat(store().shards().take(store().shards().all().get(SHARD + 2), "successor"))
                    .isPresent();
            assertThat(store().shards().handOver(next, "successor")).isTrue();
            assertThat(store().nodes().beat("me")).isTrue();
            frozen.rollback();
            assertThat(store().shards().take(observed, "successor")).isPresent();
        }
    }

    @Test
    default void a_locked_shard_does_not_keep_a_node_from_releasing_the_others() throws Exception {
        Lease locked = takeShard(SHARD, "me");
        Lease free = takeShard(SHARD + 1, "me");
        try (Connection frozen = jdbc().open()) {
            frozen.setAutoCommit(false);
            new Jdbc(frozen, jdbc().dialect())
                    .exists(jdbc().named("SELECT epoch FROM outbox_shard WHERE shard = ? FOR UPDATE"), SHARD);
            store().shards().release(List.of(locked, free));
            frozen.rollback();
        }
        assertThat(store().shards().all().get(SHARD)).isEqualTo(new Lease(SHARD, "me", locked.epoch()));
        assertThat(store().shards().all().get(SHARD + 1)).isEqualTo(new Lease(SHARD + 1, null, free.epoch() + 1));
    }

    @Test
    default void a_locked_shard_row_is_reported_at_once_and_not_taken_for_a_lost_lease() throws Exception {
        MessageHead head = publish();
        try (Connection frozen = jdbc().open()) {
            frozen.setAutoCommit(false);
            new Jdbc(frozen, jdbc().dialect())
                    .exists(jdbc().named("SELECT epoch FROM outbox_shard WHERE shard = ? FOR UPDATE"), SHARD);
            for (Runnable each : List.<Runnable>of(
                    () -> write(resolve(head, retry("A", 0))),
                    () -> store().writes().refresh(lease(), laneOf("A")),
                    () -> start(lease(), List.of(head)),
                    () -> store().shards().handOver(lease(), "other"))) {
                assertThatExceptionOfType(ShardLockedException.class)
                        .isThrownBy(each::run)
                        .satisfies(e ->
                                assertThat(e.isRowLocked() && e.isTransient()).isTrue())
                        .havingCause()
                        .as("not the database's own, which comes at the end of its lock timeout")
                        .withNoCause();
            }
            frozen.rollback();
        }
        write(resolve(head, retry("A", 0)));
        assertThat(store().shards().handOver(lease(), "other")).isTrue();
    }

    @Test
    default void an_old_snapshot_does_not_hide_that_a_row_was_acknowledged() throws Exception {
        MessageHead head = publish();
        try (JdbcDelivery delivery = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
            delivery.read("SELECT amount FROM effect WHERE id = 1");
            store().acks().acknowledge(List.of(acknowledged(head, "A", AckMode.DELETE_MESSAGE)));
            assertThatThrownBy(() -> delivery.claim(head))
                    .isInstanceOfAny(ClaimLostException.class, StoreException.class);
        }
    }

    @Test
    default void a_long_delivery_in_repeatable_read_is_not_disturbed_by_the_relays_own_work() throws Exception {
        store().nodes().join("me", "host", 1);
        MessageHead head = publish();
        try (JdbcDelivery delivery = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
            delivery.claim(head);
            delivery.read("SELECT amount FROM effect WHERE id = 1");
            assertThat(store().nodes().beat("me")).isTrue();
            assertThat(store().shards().handOver(lease(), "other")).isTrue();
            delivery.acknowledge(head, "A", AckMode.DELETE_MESSAGE);
            delivery.commit();
        }
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void a_delivery_in_repeatable_read_locks_no_gap() throws Exception {
        MessageHead touched = publish();
        write(new FencedWrite.Park(LANE, List.of(touched)));
        MessageHead last = store().reads().lane(LANE, 1).get(0);
        MessageHead waiting = publish();
        write(resolve(waiting, retry("A", 0)));
        MessageHead gone = publish();
        store().acks().acknowledge(List.of(acknowledged(gone, "A", AckMode.DELETE_MESSAGE)));
        try (JdbcDelivery first = jdbc().begin(TRANSACTION_REPEATABLE_READ, false);
                JdbcDelivery second = jdbc().begin(TRANSACTION_REPEATABLE_READ, true);
                JdbcDelivery lost = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
            first.claim(last);
            first.acknowledge(last, "A", AckMode.DELETE_MESSAGE);
            second.claim(split("A"));
            second.acknowledge(split("A"), "A", AckMode.DELETE_DELIVERY);
            assertThatThrownBy(() -> lost.claim(gone.withVersion(77))).isInstanceOf(RuntimeException.class);
            lost.rollback();

            MessageHead other = publish();
            MessageHead another = publish();
            write(resolve(other, retry("A", 0), new Resolution.Dead("B", "B", 1, "boom")));
            store().acks().acknowledge(List.of(acknowledged(another, "A", AckMode.ADD_DONE_ROW)));
            try (JdbcDelivery handler = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
                MessageHead again = store().reads()
                        .ready(List.of(new ReadWindow(SHARD, another.seq() - 1, 1)))
                        .get(0);
                handler.claim(again);
                handler.acknowledge(again, "B", AckMode.ADD_DONE_ROW);
                handler.commit();
            }
            first.commit();
            second.commit();
        }
        assertThat(jdbc().messageRows()).isEqualTo(2);
    }
}
