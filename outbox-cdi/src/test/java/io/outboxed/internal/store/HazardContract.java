package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.handler;
import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.store.StoreBench.Draft;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What databases do behind one's back: relay-rules.md, section 1. */
interface HazardContract extends JdbcContract {

    @Test
    default void a_transaction_that_was_rolled_back_in_secret_settles_nothing() throws Exception {
        Head head = publish();
        try (JdbcDelivery delivery = jdbc().begin()) {
            delivery.mark(head);
            delivery.run("UPDATE effect SET amount = 1 WHERE id = 3");
            doom(delivery);
            assertThatThrownBy(() -> {
                        delivery.run("UPDATE effect SET amount = 1 WHERE id = 4");
                        delivery.settle(head, "A", Settlement.LAST);
                    })
                    .isInstanceOfAny(LostMarkException.class, Jdbc.LocatedSqlException.class);
        }
        assertThat(ready()).containsExactly(head);
        assertThat(jdbc().effects()).isZero();
    }

    @Test
    default void many_rows_are_settled_parked_and_started_beside_an_uncommitted_insert() throws Exception {
        for (int isolation : List.of(TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ)) {
            List<Head> heads = publishMany(500);
            jdbc().analyze();
            try (Connection business = jdbc().open()) {
                business.setTransactionIsolation(isolation);
                business.setAutoCommit(false);
                JdbcBench.insert(business, jdbc().dialect(), Draft.inLane(LANE));
                assertThat(store().start(lease(), heads)).hasSize(500);
                decide(new Decision.Park(LANE, heads));
                store().settle(heads.stream()
                        .map(head -> settled(head.withVersion(2), "A", Settlement.DONE))
                        .toList());
                store().settle(heads.stream()
                        .map(head -> settled(head.withVersion(3), "B", Settlement.LAST))
                        .toList());
                assertThat(jdbc().messageRows()).isZero();
                assertThat(jdbc().deliveryRows()).isZero();
                business.rollback();
            }
        }
    }

    private List<Head> publishMany(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            JdbcBench.insert(jdbc().admin, jdbc().dialect(), Draft.inLane(LANE));
        }
        return ready();
    }

    @Test
    default void a_prepared_delivery_holds_up_neither_a_takeover_nor_other_messages() throws Exception {
        Head doubtful = publish();
        Head behind = publish();
        Head other = bench().publish(Draft.inLane(LANE + 64));
        try (JdbcDelivery prepared = beginDoubtful()) {
            prepared.mark(doubtful);
            prepared.settle(doubtful, "A", Settlement.LAST);
            prepare(prepared);
            try {
                Lease successor = takeShard(SHARD, "successor");
                assertThat(store().start(successor, List.of(doubtful, behind, other)))
                        .as("nothing of the lane")
                        .containsExactly(other.id());
                store().decide(successor, List.of(new Decision.Park(LANE, List.of(doubtful, behind))));
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> store().settle(List.of(
                                settled(doubtful, "B", Settlement.DONE),
                                settled(other.withVersion(1), "A", Settlement.LAST))))
                        .satisfies(e -> assertThat(e.isHeld()).isTrue());
                assertThat(store().lane(LANE, 10)).extracting(Head::id).containsExactly(doubtful.id(), behind.id());
                assertThat(ready()).containsExactly(doubtful);
            } finally {
                commitPrepared(prepared);
            }
        }
        assertThat(jdbc().messageRows()).isEqualTo(1);
    }

    @Test
    default void a_shard_in_the_hands_of_a_frozen_decision_is_left_for_the_next_round() throws Exception {
        store().join("me", "host", 1);
        Lease next = takeShard(SHARD + 1, "me");
        try (Connection frozen = jdbc().open()) {
            frozen.setAutoCommit(false);
            new Jdbc(frozen, jdbc().dialect())
                    .exists("SELECT epoch FROM outbox_shard WHERE shard = ? FOR UPDATE", SHARD);
            ShardOwner observed = store().shards().get(SHARD);
            assertThat(store().take(observed, "successor")).isEmpty();
            assertThat(store().take(store().shards().get(SHARD + 2), "successor"))
                    .isPresent();
            assertThat(store().handOver(next, "successor")).isTrue();
            assertThat(store().beat("me")).isTrue();
            frozen.rollback();
            assertThat(store().take(observed, "successor")).isPresent();
        }
    }

    @Test
    default void an_old_snapshot_does_not_hide_that_a_row_was_settled() throws Exception {
        Head head = publish();
        try (JdbcDelivery delivery = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
            delivery.read("SELECT amount FROM effect WHERE id = 1");
            store().settle(List.of(settled(head, "A", Settlement.LAST)));
            assertThatThrownBy(() -> delivery.mark(head))
                    .isInstanceOfAny(LostMarkException.class, StoreException.class);
        }
    }

    @Test
    default void a_long_delivery_in_repeatable_read_is_not_disturbed_by_the_relays_own_life() throws Exception {
        store().join("me", "host", 1);
        Head head = publish();
        try (JdbcDelivery delivery = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
            delivery.mark(head);
            delivery.read("SELECT amount FROM effect WHERE id = 1");
            assertThat(store().beat("me")).isTrue();
            assertThat(store().handOver(lease(), "other")).isTrue();
            delivery.settle(head, "A", Settlement.LAST);
            delivery.commit();
        }
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void a_delivery_in_repeatable_read_locks_no_gap() throws Exception {
        Head touched = publish();
        decide(new Decision.Park(LANE, List.of(touched)));
        Head last = store().lane(LANE, 1).get(0);
        Head waiting = publish();
        decide(judge(waiting, retry("A", 0)));
        Head gone = publish();
        store().settle(List.of(settled(gone, "A", Settlement.LAST)));
        try (JdbcDelivery first = jdbc().begin(TRANSACTION_REPEATABLE_READ, false);
                JdbcDelivery second = jdbc().begin(TRANSACTION_REPEATABLE_READ, true);
                JdbcDelivery lost = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
            first.mark(last);
            first.settle(last, "A", Settlement.LAST);
            second.mark(split("A"));
            second.settle(split("A"), "A", Settlement.LAST_WAITING);
            assertThatThrownBy(() -> lost.mark(gone.withVersion(77))).isInstanceOf(RuntimeException.class);
            lost.rollback();

            Head other = publish();
            Head another = publish();
            decide(judge(other, retry("A", 0), new Verdict.Dead("B", "B", 1, "boom")));
            store().settle(List.of(settled(another, "A", Settlement.DONE)));
            try (JdbcDelivery handler = jdbc().begin(TRANSACTION_REPEATABLE_READ, false)) {
                Head again = store().ready(List.of(new Window(SHARD, another.seq() - 1, 1)))
                        .get(0);
                handler.mark(again);
                handler.settle(again, "B", Settlement.DONE);
                handler.commit();
            }
            first.commit();
            second.commit();
        }
        assertThat(jdbc().messageRows()).isEqualTo(2);
    }

    @Test
    default void times_do_not_depend_on_the_sessions_zone() throws Exception {
        try (Connection abroad = jdbc().open()) {
            setZone(abroad);
            JdbcBench.insert(abroad, jdbc().dialect(), Draft.inLane(LANE).delay(60_000_000));
            JdbcBench.insert(jdbc().admin, jdbc().dialect(), Draft.inLane(LANE));
        }
        List<Head> heads = ready();
        assertThat(heads).extracting(Head::delayed).containsExactly(true, false);
        List<Body> bodies =
                new ArrayList<>(store().bodies(heads.stream().map(Head::seq).toList()));
        assertThat(bodies.get(0).createdAt())
                .isBetween(
                        bodies.get(1).createdAt().minusSeconds(600),
                        bodies.get(1).createdAt().plusSeconds(600));
    }

    /** 5:30 h east of UTC. */
    void setZone(Connection connection) throws Exception;

    @Test
    default void aggregate_ids_that_differ_in_case_or_marks_differ() throws Exception {
        for (String name : List.of("Mail", "mail", "m\u00e4il", "mail2")) {
            store().register(List.of(handler("Order", name), handler("order", name)));
        }
        assertThat(store().registry().of("Order")).hasSize(4);
        assertThat(store().registry().of("order")).hasSize(4);
    }

    @Test
    default void a_mebibyte_of_text_and_of_bytes_comes_back_exactly() throws Exception {
        String text = "\u00e4\uD83D\uDE00\\\"'%_ ".repeat(120_000).substring(0, 1 << 20);
        Head head = bench().publish(Draft.inLane(LANE).payload(text));
        assertThat(store().bodies(List.of(head.seq())).get(0).text().equals(text))
                .isTrue();
        decide(judge(head, new Verdict.Dead("A", "A", 1, "boom")));
        UUID id = head.id();
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.replay(id, "A")).isTrue();
        }
        Head revived = ready().get(0);
        assertThat(store().bodies(List.of(revived.seq())).get(0).text().equals(text))
                .isTrue();
    }
}
