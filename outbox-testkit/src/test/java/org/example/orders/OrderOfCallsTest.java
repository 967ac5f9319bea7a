package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionManager;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code verifyOrder} with what disturbs a delivery, and with writers that do not wait for each other. */
@OutboxTest
class OrderOfCallsTest {
    private static final String SHIP = "Warehouse.ship";
    private static final String CONFIRM = "Mailer.confirm";

    @Inject
    Orders orders;

    @Inject
    Mailer mailer;

    @Inject
    OutboxTester outbox;

    @Resource
    TransactionManager transactions;

    @BeforeEach
    void no_mail_has_been_sent() {
        mailer.forget();
    }

    @Test
    void nothing_was_called_out_of_order_before_the_first_call() {
        outbox.verifyOrder();
    }

    @Test
    void failures_crashes_and_second_deliveries_keep_the_order() {
        outbox.failNext(SHIP, 1);
        outbox.crashAfter(SHIP);
        outbox.deliverTwice(CONFIRM);
        outbox.crashAfter(CONFIRM);
        for (int i = 1; i <= 5; i++) {
            orders.place("o-1", i);
            orders.place("o-2", i);
        }
        outbox.drain();
        outbox.advance(Duration.ofMinutes(2));
        outbox.drain();

        assertThat(outbox.calls()).hasSizeGreaterThan(20);
        outbox.verifyOrder();
    }

    @Test
    void each_run_of_a_scenario_can_be_verified() {
        outbox.verifyRedelivery(
                () -> {
                    orders.place("o-1", 1);
                    orders.place("o-1", 2);
                },
                () -> {
                    outbox.verifyOrder();
                    return "in order";
                });
    }

    @Test
    void a_replay_counts_as_a_new_event(DeadLetters letters) {
        outbox.failNext(CONFIRM, 3);
        orders.place("o-1", 1);
        for (int attempt = 1; attempt <= 3; attempt++) {
            outbox.drain();
            outbox.advance(Duration.ofMinutes(2));
        }
        orders.place("o-1", 2);
        outbox.drain();
        DeadLetter letter = outbox.deadLetters().get(0);
        letters.replay(letter.messageId(), letter.handler(), true);
        outbox.drain();

        assertThat(outbox.calls(CONFIRM)).hasSize(5);
        outbox.verifyOrder();
    }

    @Test
    void an_event_that_is_committed_after_a_later_one_of_its_order_is_named() {
        outbox.inTransaction(() -> {
            orders.place("o-1", 1);
            beforeItIsCommitted(() -> CompletableFuture.runAsync(() -> {
                        orders.place("o-1", 2);
                        outbox.drain();
                    })
                    .join());
        });
        outbox.drain();

        List<UUID> called =
                outbox.calls(SHIP).stream().map(HandlerCall::messageId).toList();
        assertThat(called).hasSize(2);
        assertThatThrownBy(outbox::verifyOrder)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(
                        "Warehouse.ship was called with order.placed " + called.get(1)
                                + " after Warehouse.ship had been called with order.placed " + called.get(0),
                        "aggregate o-1 (handler group Warehouse)");
    }

    /** A transaction with two resources writes its rows, prepares each of them, and commits then. */
    private void beforeItIsCommitted(Runnable work) {
        try {
            transactions.getTransaction().enlistResource(new WorkAtPrepare(work));
        } catch (Exception e) {
            throw new IllegalStateException("the resource could not be enlisted", e);
        }
    }

    private record WorkAtPrepare(Runnable work) implements XAResource {

        @Override
        public int prepare(Xid xid) {
            work.run();
            return XA_OK;
        }

        @Override
        public void commit(Xid xid, boolean onePhase) {}

        @Override
        public void rollback(Xid xid) {}

        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public void forget(Xid xid) {}

        @Override
        public Xid[] recover(int flag) {
            return new Xid[0];
        }

        @Override
        public boolean isSameRM(XAResource other) {
            return other == this;
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }
}
