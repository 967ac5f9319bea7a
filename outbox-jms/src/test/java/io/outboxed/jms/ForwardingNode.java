package io.outboxed.jms;

import io.outboxed.OutboxMessage;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.handlers.LeaseExpiredException;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.spi.FailureClassifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A node with all its threads that does nothing but forward, without a container. */
final class ForwardingNode implements AutoCloseable {
    static final String TABLES = "outbox_";
    /** A dead node's shards are taken over soon. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration DEFERRED = Duration.ofMillis(300);

    private static final HandlerKey HANDLER = new HandlerKey(HandlerKey.ANY_TYPE, JmsForwarder.NAME);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger countedFailures = new AtomicInteger();
    private final JdbcRelayStore store;
    private final RelayNode node;

    /** @param confirmed called after each message that the broker has stored, before that is recorded */
    ForwardingNode(ConnectionSource database, JmsSettings settings, Runnable confirmed) {
        store = new JdbcRelayStore(database, dialect(database), TABLES, false, dropped -> {}, Duration.ofSeconds(10));
        HandlerInvoker handlers = new Forwarding(new JmsForwarder(settings, true), confirmed, countedFailures);
        node = new RelayNode(
                new RelayDependencies(
                        store.store(),
                        handlers,
                        config(),
                        System::nanoTime,
                        System::currentTimeMillis,
                        () -> ThreadLocalRandom.current().nextDouble(),
                        new Notifications() {}),
                new CommitSignal(),
                store.store().handlers().register(handlers.registrations()).deployment());
        node.start(threads, threads);
    }

    private static Dialect dialect(ConnectionSource database) {
        try (Connection connection = database.open()) {
            return Dialect.from(connection.getMetaData());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static OutboxConfig config() {
        return OutboxConfig.DEFAULTS
                .withRelay(OutboxConfig.Relay.DEFAULTS.withLease(LEASE))
                .withHandler(new OutboxConfig.Handler(
                        OutboxConfig.Handler.DEFAULTS.timeout(),
                        OutboxConfig.Handler.DEFAULTS.downAfter(),
                        DEFERRED,
                        OutboxConfig.Handler.DEFAULTS.batchSize()));
    }

    static JmsSettings settings() {
        return new JmsSettings(Map.of("*", Names.ORDERS), Names.FACTORY, "/test", false);
    }

    /** Of all failures, those that use up an attempt. */
    int countedFailures() {
        return countedFailures.get();
    }

    @Override
    public void close() {
        node.stop();
        threads.shutdown();
        store.close();
    }

    private record Forwarding(JmsForwarder forwarder, Runnable confirmed, AtomicInteger countedFailures)
            implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(HANDLER);
        }

        @Override
        public String group(HandlerKey handler) {
            return JmsForwarder.NAME;
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HandlerMode.FORWARDER;
        }

        @Override
        public int mostTogether(HandlerKey handler) {
            return forwarder.mostTogether();
        }

        @Override
        public Supplier<Outcome> begin(Delivery delivery, Lease lease, Predicate<Lease> isValid) {
            Outcome outcome = send(delivery, () -> isValid.test(lease));
            return () -> outcome;
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            return send(delivery, () -> true);
        }

        private Outcome send(Delivery delivery, BooleanSupplier isOwner) {
            try {
                forwarder.send(message(delivery), isOwner);
                confirmed.run();
                return new Outcome.Done(false);
            } catch (LeaseExpiredException e) {
                return new Outcome.NotBegun();
            } catch (RuntimeException e) {
                return new Outcome.Failed(e);
            }
        }

        private static OutboxMessage message(Delivery delivery) {
            return new OutboxMessage(
                    delivery.body().id(),
                    delivery.head().type(),
                    delivery.body().aggregateType(),
                    delivery.body().aggregateId(),
                    delivery.attempt(),
                    delivery.body().createdAt(),
                    Map.of(),
                    delivery.body().text(),
                    null);
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            if (failure instanceof BrokerNotReadyException) {
                return FailureClassifier.Verdict.DEFER;
            }
            countedFailures.incrementAndGet();
            return failure instanceof PermanentFailureException
                    ? FailureClassifier.Verdict.DEAD
                    : FailureClassifier.Verdict.RETRY;
        }
    }
}
