package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.store.StoreBench.Delivery;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract on a real database, and what only a database can do wrong. */
abstract class JdbcStoreContract extends RelayStoreContract
        implements HazardContract, RaceContract, DeadLetterContract, SchemaDifferencesContract, SharedPoolContract {
    abstract ConnectionSource source() throws Exception;

    abstract Dialect dialect();

    @Override
    public JdbcBench jdbc() {
        return (JdbcBench) bench();
    }

    @Override
    StoreBench open() throws Exception {
        return new JdbcBench(source(), dialect());
    }

    @Override
    void close(StoreBench opened) throws Exception {
        ((JdbcBench) opened).close();
    }

    // ---- history ----

    @Test
    void only_messages_that_succeeded_entirely_are_kept() {
        RelayStore keeping = jdbc().storeWithHistory();
        Head transactional = publish();
        Head outside = publish();
        Head outsideSplit = publish();
        Head judged = publish();
        Head partlyDead = publish();
        Head dead = publish();
        try (Delivery delivery = jdbc().beginWithHistory()) {
            delivery.mark(transactional);
            delivery.settle(transactional, "A", Settlement.LAST);
            delivery.commit();
        }
        keeping.settle(List.of(settled(outside, "A", Settlement.LAST)));
        keeping.settle(List.of(settled(outside, "A", Settlement.LAST)));
        keeping.decide(lease(), List.of(judge(outsideSplit, retry("A", 0))));
        keeping.settle(List.of(settled(outsideSplit, "A", Settlement.LAST_WAITING)));
        keeping.decide(lease(), List.of(judge(judged), judge(dead, dead("A"))));
        keeping.decide(lease(), List.of(judge(partlyDead, dead("A"), retry("B", 0))));
        keeping.settle(List.of(settled(partlyDead, "B", Settlement.LAST_WAITING)));
        assertThat(bench().messageRows()).isZero();
        assertThat(jdbc().history())
                .containsExactlyInAnyOrder(transactional.id(), outside.id(), outsideSplit.id(), judged.id());
    }

    @Test
    void a_history_that_refuses_keeps_no_message_from_being_settled_or_decided() throws Exception {
        RelayStore keeping = jdbc().storeWithHistory();
        Head settled = publish();
        Head afterwards = publish();
        Head judged = publish();
        jdbc().run("ALTER TABLE outbox_history RENAME TO hidden_history");
        try {
            keeping.settle(List.of(settled(settled, "A", Settlement.LAST), settled(afterwards, "A", Settlement.LAST)));
            keeping.decide(lease(), List.of(judge(judged)));
        } finally {
            jdbc().run("ALTER TABLE hidden_history RENAME TO outbox_history");
        }
        assertThat(bench().messageRows()).isZero();
        assertThat(jdbc().dropped).as("all were reported").hasSize(3);
    }

    @Test
    void a_history_that_refuses_costs_a_delivery_one_try_and_not_the_message() throws Exception {
        Head head = publish();
        jdbc().run("ALTER TABLE outbox_history RENAME TO hidden_history");
        try {
            try (Delivery refused = jdbc().beginWithHistory()) {
                refused.mark(head);
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> refused.settle(head, "A", Settlement.LAST))
                        .satisfies(e -> assertThat(e.isTransient())
                                .as("no fault of its handler")
                                .isTrue());
                refused.rollback();
            }
            try (Delivery again = jdbc().beginWithHistory()) {
                again.mark(head);
                again.settle(head, "A", Settlement.LAST);
                again.commit();
            }
        } finally {
            jdbc().run("ALTER TABLE hidden_history RENAME TO outbox_history");
        }
        assertThat(bench().messageRows()).isZero();
        assertThat(jdbc().dropped).as("it was reported").hasSize(1);
    }
}
