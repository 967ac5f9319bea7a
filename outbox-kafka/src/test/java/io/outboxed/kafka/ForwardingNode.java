package io.outboxed.kafka;

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
import io.outboxed.kafka.RecordSender.PendingSend;
import io.outboxed.spi.FailureClassifier;
import jakarta.json.Json;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A node with all its threads that does nothing but forward, without a container. */
final class ForwardingNode implements AutoCloseable {
    static final String TABLES = "outbox_";
    /** A dead node's shards are taken over soon. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

    private static final HandlerKey HANDLER = new HandlerKey(HandlerKey.ANY_TYPE, KafkaForwarder.NAME);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final JdbcRelayStore store;
    private final KafkaForwarder forwarder;
    private final RelayNode node;

    ForwardingNode(ConnectionSource database, KafkaSettings settings) {
        this(database, settings, SHORT_LEASE);
    }

    ForwardingNode(ConnectionSource database, KafkaSettings settings, Duration lease) {
        store = new JdbcRelayStore(database, dialect(database), TABLES, false, dropped -> {}, Duration.ofSeconds(10));
        forwarder = new KafkaForwarder(settings, true);
        HandlerInvoker handlers = new Forwarding(forwarder);
        node = new RelayNode(
                new RelayDependencies(
                        store.store(),
                        handlers,
                        config(lease),
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

    /** What is deferred is tried again soon. */
    private static OutboxConfig config(Duration lease) {
        return OutboxConfig.DEFAULTS
                .withRelay(OutboxConfig.Relay.DEFAULTS.withLease(lease))
                .withHandler(new OutboxConfig.Handler(
                        OutboxConfig.Handler.DEFAULTS.timeout(),
                        OutboxConfig.Handler.DEFAULTS.downAfter(),
                        Duration.ofMillis(300),
                        OutboxConfig.Handler.DEFAULTS.batchSize()));
    }

    static KafkaSettings settings(String brokers, String topic, Map<String, String> more) {
        return settings(brokers, topic, false, more);
    }

    static KafkaSettings settings(String brokers, String topic, boolean strict, Map<String, String> more) {
        return settings(brokers, topic, WireFormat.CLOUDEVENTS, strict, more);
    }

    static KafkaSettings settings(
            String brokers, String topic, WireFormat format, boolean strict, Map<String, String> more) {
        Map<String, String> producer = new HashMap<>(KafkaKeys.PRODUCER_DEFAULTS);
        producer.put("bootstrap.servers", brokers);
        producer.put("reconnect.backoff.max.ms", "200");
        if (strict) {
            producer.putAll(KafkaKeys.STRICT_DEFAULTS);
            producer.put("client.id", topic);
        }
        producer.putAll(more);
        return new KafkaSettings(new Routes(Map.of("*", topic)), format, "/test", false, strict, producer);
    }

    @Override
    public void close() {
        node.stop();
        threads.shutdown();
        store.close();
        forwarder.close();
    }

    private record Forwarding(KafkaForwarder forwarder) implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(HANDLER);
        }

        @Override
        public String group(HandlerKey handler) {
            return KafkaForwarder.NAME;
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HandlerMode.FORWARDER;
        }

        @Override
        public Supplier<Outcome> begin(Delivery delivery, Lease lease, Predicate<Lease> isValid) {
            try {
                PendingSend pending = forwarder.begin(message(delivery), lease, isValid);
                return () -> outcome(pending);
            } catch (RuntimeException e) {
                return () -> new Outcome.Failed(e);
            }
        }

        private static Outcome outcome(PendingSend pending) {
            try {
                pending.call();
                return new Outcome.Done(false);
            } catch (LeaseExpiredException e) {
                return new Outcome.NotBegun();
            } catch (RuntimeException e) {
                return new Outcome.Failed(e);
            }
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            throw new UnsupportedOperationException("the forwarder begins its deliveries");
        }

        private static OutboxMessage message(Delivery delivery) {
            return new OutboxMessage(
                    delivery.body().id(),
                    delivery.head().type(),
                    delivery.body().aggregateType(),
                    delivery.body().aggregateId(),
                    delivery.attempt(),
                    delivery.body().createdAt(),
                    headers(delivery.body().headers()),
                    delivery.body().text(),
                    delivery.body().bytes());
        }

        private static Map<String, String> headers(String json) {
            Map<String, String> headers = new HashMap<>();
            if (json != null) {
                try (JsonReader reader = Json.createReader(new StringReader(json))) {
                    reader.readObject().forEach((name, value) -> headers.put(name, ((JsonString) value).getString()));
                }
            }
            return headers;
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return failure instanceof PermanentFailureException
                    ? FailureClassifier.Verdict.DEAD
                    : failure instanceof BrokerNotReadyException
                            ? FailureClassifier.Verdict.DEFER
                            : FailureClassifier.Verdict.RETRY;
        }
    }
}
