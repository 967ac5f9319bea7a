package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.handler;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What databases do silently. */
interface DatabaseQuirksContract extends JdbcContract {

    /** Makes the database fail the delivery's transaction in a way that a handler could swallow. */
    void doom(JdbcDelivery delivery) throws Exception;

    @Test
    default void a_transaction_that_was_silently_rolled_back_acknowledges_nothing() throws Exception {
        MessageHead head = publish();
        try (JdbcDelivery delivery = jdbc().begin()) {
            delivery.claim(head);
            delivery.run("UPDATE effect SET amount = 1 WHERE id = 3");
            doom(delivery);
            assertThatThrownBy(() -> {
                        delivery.run("UPDATE effect SET amount = 1 WHERE id = 4");
                        delivery.acknowledge(head, "A", AckMode.DELETE_MESSAGE);
                    })
                    .isInstanceOfAny(ClaimLostException.class, Jdbc.LocatedSqlException.class);
        }
        assertThat(ready()).containsExactly(head);
        assertThat(jdbc().effects()).isZero();
    }

    @Test
    default void times_do_not_depend_on_the_sessions_zone() throws Exception {
        try (Connection abroad = jdbc().open()) {
            setZone(abroad);
            jdbc().insert(abroad, Draft.inLane(LANE).delay(60_000_000));
            jdbc().insert(jdbc().admin, Draft.inLane(LANE));
        }
        List<MessageHead> heads = ready();
        assertThat(heads).extracting(MessageHead::delayed).containsExactly(true, false);
        List<MessageBody> bodies = new ArrayList<>(
                store().reads().bodies(heads.stream().map(MessageHead::seq).toList()));
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
            store().handlers().register(List.of(handler("Order", name), handler("order", name)));
        }
        assertThat(store().handlers().snapshot().of("Order")).hasSize(4);
        assertThat(store().handlers().snapshot().of("order")).hasSize(4);
    }

    /** A node of a newer version starts while an older one delivers and publishes. */
    @Test
    default void a_table_that_a_newer_version_adds_is_created_beside_open_transactions() throws Exception {
        jdbc().run("DROP TABLE outbox_operation");
        try (JdbcDelivery open = jdbc().begin()) {
            jdbc().insert(open.connection, Draft.inLane(LANE));
            CompletableFuture<Boolean> creating = elsewhere(() -> {
                new Schema(jdbc().source(), jdbc().dialect(), jdbc().prefix()).create();
                return true;
            });
            assertThat(creating.get(20, TimeUnit.SECONDS)).isTrue();
            publish();
            open.rollback();
        }
        assertThat(jdbc().count("outbox_operation")).isZero();
    }

    /** A table of the application refers to the message. */
    @Test
    default void a_success_that_the_database_rejects_for_good_is_not_taken_for_an_outage() throws Exception {
        MessageHead kept = publish();
        MessageHead free = publish();
        Ack rejected = acknowledged(kept, "A", AckMode.DELETE_MESSAGE);
        Ack accepted = acknowledged(free, "A", AckMode.DELETE_MESSAGE);
        jdbc().run("CREATE TABLE keeper (seq BIGINT, FOREIGN KEY (seq) REFERENCES outbox_message (seq))");
        try {
            jdbc().run("INSERT INTO keeper SELECT seq FROM outbox_message WHERE seq = " + kept.seq());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store().acks().acknowledge(List.of(accepted, rejected)))
                    .satisfies(e -> assertThat(e.isTransient() || e.isRowLocked() || e.isForAllRows())
                            .isFalse());
            assertThat(ready()).as("a batch is stored whole or not at all").containsExactly(kept, free);
            store().acks().acknowledge(List.of(accepted));
            assertThat(ready()).containsExactly(kept);
        } finally {
            jdbc().run("DROP TABLE keeper");
        }
        store().acks().acknowledge(List.of(rejected));
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void a_mebibyte_of_text_and_of_bytes_comes_back_exactly() throws Exception {
        String text = "\u00e4\uD83D\uDE00\\\"'%_ ".repeat(120_000).substring(0, 1 << 20);
        MessageHead head = bench().publish(Draft.inLane(LANE).payload(text));
        assertThat(store().reads().bodies(List.of(head.seq())).get(0).text().equals(text))
                .isTrue();
        write(resolve(head, new Resolution.Dead("A", "A", 1, "boom")));
        UUID id = head.id();
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.replay(letters, id, "A")).isTrue();
        }
        MessageHead revived = ready().get(0);
        assertThat(store().reads().bodies(List.of(revived.seq())).get(0).text().equals(text))
                .isTrue();
    }
}
