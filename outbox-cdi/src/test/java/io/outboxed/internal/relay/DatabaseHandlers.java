package io.outboxed.internal.relay;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.TransactionalAck;
import io.outboxed.spi.FailureClassifier;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * "ship" writes a row in the delivery's transaction, "list" one for each event of a batch, "mail" works outside; all
 * fail now and then.
 */
final class DatabaseHandlers implements HandlerInvoker {
    static final Set<HandlerKey> ALL = Set.of(
            new HandlerKey("placed", "ship"),
            new HandlerKey("changed", "ship"),
            new HandlerKey("changed", "mail"),
            new HandlerKey("asked", "mail"),
            new HandlerKey("listed", "list"));

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
        return switch (handler.handler()) {
            case "ship" -> HandlerMode.TRANSACTIONAL;
            case "list" -> HandlerMode.BATCHED;
            default -> HandlerMode.OUTSIDE;
        };
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        return observed(List.of(delivery));
    }

    @Override
    public Outcome deliverTogether(List<Delivery> deliveries) {
        return observed(deliveries);
    }

    private Outcome observed(List<Delivery> deliveries) {
        Delivery first = deliveries.get(0);
        for (Delivery delivery : deliveries) {
            history.trail(
                    delivery.head().id(),
                    node + " " + delivery.handler() + " begins: version "
                            + delivery.head().version() + " " + delivery.head().status() + " " + delivery.ackMode());
        }
        List<UUID> ids =
                deliveries.stream().map(delivery -> delivery.head().id()).toList();
        history.begins(first, first.handler(), ids, () -> true);
        try {
            return mode(first.key()).isOutside() ? mail(first) : ship(deliveries);
        } finally {
            ids.forEach(id -> history.ends(first, id));
        }
    }

    private Outcome mail(Delivery delivery) {
        if (failsNow()) {
            return new Outcome.Failed(new IllegalStateException("the mail server said no"));
        }
        history.succeeded(delivery.handler(), delivery.head().id(), false);
        return new Outcome.Done(false);
    }

    private Outcome ship(List<Delivery> deliveries) {
        Connection connection = pool.begin();
        boolean committing = false;
        try {
            claim(deliveries);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (message) VALUES (?)")) {
                for (Delivery delivery : deliveries) {
                    insert.setString(1, delivery.head().id().toString());
                    insert.executeUpdate();
                }
            }
            if (failsNow()) {
                pool.rollback();
                return new Outcome.Failed(new IllegalStateException("the shelf was empty"));
            }
            acknowledge(deliveries);
            committing = true;
            pool.commit();
            deliveries.forEach(delivery ->
                    history.succeeded(delivery.handler(), delivery.head().id(), true));
            return new Outcome.Done(true);
        } catch (ClaimLostException e) {
            pool.rollback();
            return new Outcome.Lost(e);
        } catch (SQLException | StoreException e) {
            pool.rollback();
            return committing ? new Outcome.Unknown(e) : new Outcome.Failed(e);
        }
    }

    private void claim(List<Delivery> deliveries) {
        if (deliveries.size() == 1) {
            ack.claim(deliveries.get(0).head());
        } else {
            ack.claim(deliveries.stream().map(Delivery::head).toList());
        }
    }

    private void acknowledge(List<Delivery> deliveries) {
        Delivery first = deliveries.get(0);
        if (deliveries.size() == 1) {
            ack.acknowledge(first.head(), first.handler(), first.ackMode());
        } else {
            ack.acknowledge(deliveries.stream().map(Delivery::head).toList(), first.handler());
        }
    }

    private boolean failsNow() {
        return ThreadLocalRandom.current().nextInt(1000) < failuresPerThousand;
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        return FailureClassifier.Verdict.RETRY;
    }
}
