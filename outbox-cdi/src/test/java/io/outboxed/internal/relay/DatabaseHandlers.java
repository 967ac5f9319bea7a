package io.outboxed.internal.relay;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.TransactionalAck;
import io.outboxed.spi.FailureClassifier;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** "ship" writes a row in the delivery's transaction, "mail" works outside; both fail now and then. */
final class DatabaseHandlers implements HandlerInvoker {
    static final Set<HandlerKey> ALL = Set.of(
            new HandlerKey("placed", "ship"), new HandlerKey("changed", "ship"),
            new HandlerKey("changed", "mail"), new HandlerKey("asked", "mail"));

    private final String node;
    private final TransactionPool pool;
    private final TransactionalAck ack;
    private final History history;
    private final int failuresPerThousand;

    DatabaseHandlers(
            String node, TransactionPool pool, TransactionalAck ack, History history, int failuresPerThousand) {
        this.node = node;
        this.pool = pool;
        this.ack = ack;
        this.history = history;
        this.failuresPerThousand = failuresPerThousand;
    }

    @Override
    public Set<HandlerKey> all() {
        return ALL;
    }

    @Override
    public String group(HandlerKey handler) {
        return handler.handler();
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        return handler.handler().equals("ship") ? HandlerMode.TRANSACTIONAL : HandlerMode.OUTSIDE;
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        history.trail(
                delivery.head().id(),
                node + " " + delivery.handler() + " begins: version "
                        + delivery.head().version() + " " + delivery.head().status() + " " + delivery.how());
        history.begins(delivery, delivery.handler(), delivery.head().id(), () -> true);
        try {
            return isOutside(delivery.key()) ? mail(delivery) : ship(delivery);
        } finally {
            history.ends(delivery, delivery.head().id());
        }
    }

    private Outcome mail(Delivery delivery) {
        if (failsNow()) {
            return new Outcome.Failed(new IllegalStateException("the mail server said no"));
        }
        history.succeeded(delivery.handler(), delivery.head().id(), false);
        return new Outcome.Done(false);
    }

    private Outcome ship(Delivery delivery) {
        Connection connection = pool.begin();
        boolean committing = false;
        try {
            ack.claim(delivery.head());
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (message) VALUES (?)")) {
                insert.setString(1, delivery.head().id().toString());
                insert.executeUpdate();
            }
            if (failsNow()) {
                pool.rollback();
                return new Outcome.Failed(new IllegalStateException("the shelf was empty"));
            }
            ack.acknowledge(delivery.head(), delivery.handler(), delivery.how());
            committing = true;
            pool.commit();
            history.succeeded(delivery.handler(), delivery.head().id(), true);
            return new Outcome.Done(true);
        } catch (ClaimLostException e) {
            pool.rollback();
            return new Outcome.Lost(e);
        } catch (SQLException | StoreException e) {
            pool.rollback();
            return committing ? new Outcome.Unknown(e) : new Outcome.Failed(e);
        }
    }

    private boolean failsNow() {
        return ThreadLocalRandom.current().nextInt(1000) < failuresPerThousand;
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        return FailureClassifier.Verdict.RETRY;
    }

    @Override
    public void dead(UUID messageId, String handler) {}
}
