package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.retention.RetentionContract;
import io.outboxed.internal.schema.JtaProbeContract;
import io.outboxed.internal.schema.SchemaDifferencesContract;
import io.outboxed.internal.store.StoreFixture.Delivery;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.DeadLetterPagesContract;
import io.outboxed.internal.store.jdbc.SharedPoolContract;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract on a real database, and what only a database can do wrong. */
abstract class JdbcStoreContract extends DatabaseContract
        implements LockHazardsContract,
                DatabaseQuirksContract,
                DeletedByHandContract,
                RaceContract,
                AggregateLockContract,
                OperatorContract,
                DeadLetterPagesContract,
                LockedDeadLetterContract,
                LockedShardContract,
                BulkContract,
                InboxContract,
                JtaProbeContract,
                RetentionContract,
                CancelContract,
                SchemaDifferencesContract,
                SharedPoolContract {

    @Test
    void an_event_whose_writer_gave_no_aggregate_type_is_read_as_one_of_none() throws Exception {
        MessageHead head = publish();
        jdbc().execute("UPDATE outbox_message SET aggregate_type = NULL, aggregate_id = NULL");

        assertThat(store().reads().ready(List.of(new ReadWindow(head.shard(), 0, 10))))
                .singleElement()
                .extracting(MessageHead::aggregateType)
                .isEqualTo("");
    }

    // ---- history ----

    @Test
    void only_messages_that_succeeded_entirely_are_kept() {
        RelayStore keeping = jdbc().stores.withHistory();
        MessageHead transactional = publish();
        MessageHead outside = publish();
        MessageHead outsideSplit = publish();
        MessageHead resolved = publish();
        MessageHead partlyDead = publish();
        MessageHead dead = publish();
        try (Delivery delivery = jdbc().beginWithHistory()) {
            delivery.claim(transactional);
            delivery.acknowledge(transactional, "A", AckMode.DELETE_MESSAGE);
            delivery.commit();
        }
        keeping.acks().acknowledge(List.of(acknowledged(outside, "A", AckMode.DELETE_MESSAGE)));
        keeping.acks().acknowledge(List.of(acknowledged(outside, "A", AckMode.DELETE_MESSAGE)));
        keeping.writes().write(Map.of(lease(), List.of(resolve(outsideSplit, retry("A", 0)))));
        keeping.acks().acknowledge(List.of(acknowledged(outsideSplit, "A", AckMode.DELETE_DELIVERY)));
        keeping.writes().write(Map.of(lease(), List.of(resolve(resolved), resolve(dead, dead("A")))));
        keeping.writes().write(Map.of(lease(), List.of(resolve(partlyDead, dead("A"), retry("B", 0)))));
        keeping.acks().acknowledge(List.of(acknowledged(partlyDead, "B", AckMode.DELETE_DELIVERY)));
        assertThat(bench().messageRows()).isZero();
        assertThat(jdbc().history())
                .containsExactlyInAnyOrder(transactional.id(), outside.id(), outsideSplit.id(), resolved.id());
    }

    @Test
    void a_history_that_refuses_rows_prevents_no_acknowledgement_and_no_decision() throws Exception {
        RelayStore keeping = jdbc().stores.withHistory();
        MessageHead acknowledged = publish();
        MessageHead afterwards = publish();
        MessageHead resolved = publish();
        jdbc().rename("history", "hidden");
        try {
            keeping.acks()
                    .acknowledge(List.of(
                            acknowledged(acknowledged, "A", AckMode.DELETE_MESSAGE),
                            acknowledged(afterwards, "A", AckMode.DELETE_MESSAGE)));
            keeping.writes().write(Map.of(lease(), List.of(resolve(resolved))));
        } finally {
            jdbc().rename("hidden", "history");
        }
        assertThat(bench().messageRows()).isZero();
        assertThat(jdbc().dropped).as("all were reported").hasSize(3);
    }

    /** Only rows that were inserted by hand can be such. */
    @Test
    void decisions_about_two_messages_with_one_id_are_refused_as_any_other_that_can_not_be_stored() {
        UUID id = UUID.randomUUID();
        for (long lane : List.of(StoreContract.LANE, StoreContract.LANE + 64)) {
            bench().publish(new Draft(id, SHARD, lane, "order.placed", "{}", 0));
        }
        List<MessageHead> both = ready();
        assertThat(both).hasSize(2);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> write(resolve(both.get(0), retry("A", 0)), resolve(both.get(1), retry("A", 0))));

        write(resolve(both.get(0), retry("A", 0)));
        assertThat(ready()).containsExactly(both.get(1));
    }

    @Test
    void a_decision_that_is_stored_without_what_is_optional_takes_that_from_no_other() throws Exception {
        RelayStore keeping = jdbc().stores.withHistory();
        MessageHead done = publish();
        MessageHead failed = publish();
        jdbc().rename("history", "hidden");
        try {
            List<FencedWrite> both = List.of(resolve(done), resolve(failed, retry("A", 0)));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> keeping.writes().write(Map.of(lease(), both)));
            assertThat(ready()).containsExactly(done, failed);
            both.forEach(each -> keeping.writes().write(Map.of(lease(), List.of(each))));
        } finally {
            jdbc().rename("hidden", "history");
        }
        assertThat(keeping.reads().lastError(failed, "A")).isPresent();
        assertThat(jdbc().dropped).as("reported").hasSize(1);
    }

    @Test
    void a_history_that_refuses_rows_costs_a_delivery_one_try_and_not_the_message() throws Exception {
        MessageHead head = publish();
        jdbc().rename("history", "hidden");
        try {
            try (Delivery refused = jdbc().beginWithHistory()) {
                refused.claim(head);
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> refused.acknowledge(head, "A", AckMode.DELETE_MESSAGE))
                        .satisfies(e -> assertThat(e.isTransient())
                                .as("not its handler's fault")
                                .isTrue());
                refused.rollback();
            }
            try (Delivery again = jdbc().beginWithHistory()) {
                again.claim(head);
                again.acknowledge(head, "A", AckMode.DELETE_MESSAGE);
                again.commit();
            }
        } finally {
            jdbc().rename("hidden", "history");
        }
        assertThat(bench().messageRows()).isZero();
        assertThat(jdbc().dropped).as("it was reported").hasSize(1);
    }
}
