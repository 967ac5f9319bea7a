package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.internal.capture.transaction.SilentRollback;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.TransactionalAck;
import io.outboxed.internal.store.jdbc.JdbcTransactionalAck;
import io.outboxed.internal.store.jdbc.RejectedHistory;
import io.outboxed.internal.store.jdbc.caller.InboxEntry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens between the handler's return and the commit decides how the delivery ended. */
class EndOfDeliveryTest {
    private static final List<String> OWN_AND_JOINED = List.of("Shop.ships", "Shop.shipsInItsOwn");

    private final Deployment deployment = Deployment.of(Shop.class);

    @AfterEach
    void stop() {
        deployment.close();
    }

    @EventType("shipped")
    record Shipped(String order) {}

    @ApplicationScoped
    static class Shop {
        @Inject
        Database database;

        private Runnable more = () -> {};

        void doMore(Runnable what) {
            more = what;
        }

        void ships(@Observes Shipped event) {
            database.update("INSERT INTO effect VALUES ('shipped', 'none')");
            more.run();
        }

        @Transactional
        void shipsInItsOwn(@Observes Shipped event) {
            ships(event);
        }
    }

    /** The check of the inbox comes before the acknowledgement, and ends the preparation of the commit. */
    @Test
    void a_silent_rollback_that_the_inbox_has_noticed_first_is_not_the_handlers_failure() {
        InboxEntry row = new InboxEntry("Shop", "o-1", new UUID(1, 2));
        shop().doMore(() -> SilentRollback.detect(transactions().registry(), row, inserted -> inserted));
        for (String handler : OWN_AND_JOINED) {
            assertThat(deployment.deliver("shipped", handler, "o-1"))
                    .as(handler)
                    .isInstanceOfSatisfying(
                            Outcome.Lost.class,
                            lost -> assertThat(((OutboxException) lost.failure()).code())
                                    .isEqualTo("OUTBOX-0148"));
            assertNothingIsLeft();
        }
    }

    /** As that of a persistence unit that the server has closed: its exception has none of the database. */
    @Test
    void an_acknowledgement_that_finds_no_session_is_not_the_handlers_failure() {
        IllegalStateException closed = new IllegalStateException("EntityManagerFactory is closed");
        TransactionalAck ack = withoutSession(closed);
        for (String handler : OWN_AND_JOINED) {
            MessageHead head = Deployment.delivery("shipped", handler, "o-1").head();
            deployment.ack().beforeAcknowledge(() -> ack.acknowledge(head, handler, AckMode.DELETE_MESSAGE));
            assertThat(deployment.deliver("shipped", handler, "o-1"))
                    .as(handler)
                    .isInstanceOfSatisfying(
                            Outcome.Unknown.class,
                            unknown -> assertThat(unknown.failure()).hasCause(closed));
            assertNothingIsLeft();
        }
    }

    /** Payara's commit does not end a transaction in which a synchronization ends in an error. */
    @Test
    void an_error_in_the_acknowledgement_is_no_error_for_the_transaction_manager() {
        OutOfMemoryError error = new OutOfMemoryError("for a test");
        deployment.ack().beforeAcknowledge(() -> {
            throw error;
        });
        for (String handler : OWN_AND_JOINED) {
            assertThat(deployment.deliver("shipped", handler, "o-1"))
                    .as(handler)
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.failure())
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasCause(error));
            assertNothingIsLeft();
        }
    }

    @Test
    void a_commit_without_the_acknowledgement_is_not_done() {
        for (String handler : OWN_AND_JOINED) {
            transactions().ignoreSynchronizationsAfter(1);
            assertThat(deployment.deliver("shipped", handler, "o-1"))
                    .as(handler)
                    .isInstanceOf(Outcome.Unknown.class);
            assertThat(deployment.messages()).containsExactly("1");
            deployment.database().update("DELETE FROM message");
        }
    }

    @Test
    void a_transaction_that_is_marked_after_all_other_work_has_certainly_failed() {
        shop().doMore(() -> transactions()
                .listen(onCompletion(() ->
                        transactions().listen(onCompletion(() -> transactions().setRollbackOnly())))));
        for (String handler : OWN_AND_JOINED) {
            assertThat(deployment.deliver("shipped", handler, "o-1"))
                    .as(handler)
                    .isInstanceOf(Outcome.Failed.class);
            assertNothingIsLeft();
        }
    }

    private void assertNothingIsLeft() {
        assertThat(deployment.effects()).isEmpty();
        assertThat(deployment.messages()).containsExactly("0");
    }

    private static TransactionalAck withoutSession(RuntimeException why) {
        return new JdbcTransactionalAck(
                null,
                work -> {
                    throw why;
                },
                Dialect.H2,
                "outbox_",
                new RejectedHistory(false, dropped -> {}));
    }

    private Shop shop() {
        return deployment.get(Shop.class);
    }

    private NarayanaTransactions transactions() {
        return deployment.get(NarayanaTransactions.class);
    }

    private static Synchronization onCompletion(Runnable work) {
        return new Synchronization() {
            @Override
            public void beforeCompletion() {
                work.run();
            }

            @Override
            public void afterCompletion(int status) {}
        };
    }
}
