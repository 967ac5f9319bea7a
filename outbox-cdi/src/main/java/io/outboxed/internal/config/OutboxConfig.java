package io.outboxed.internal.config;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import io.outboxed.internal.retention.RetentionPolicy;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The configuration, with all defaults. Built and validated by {@code OutboxConfigReader}, which knows the keys. */
public record OutboxConfig(
        Database database,
        Relay relay,
        Handler handler,
        Retries retries,
        Payload payload,
        Order order,
        DeadLetters deadLetters,
        Retention retention,
        Observe observe,
        Admin admin) {

    public static final OutboxConfig DEFAULTS = new OutboxConfig(
            Database.DEFAULTS,
            Relay.DEFAULTS,
            Handler.DEFAULTS,
            Retries.DEFAULTS,
            Payload.DEFAULTS,
            Order.AGGREGATE,
            DeadLetters.DEFAULTS,
            Retention.DEFAULTS,
            Observe.DEFAULTS,
            Admin.DEFAULTS);

    public OutboxConfig withRelay(Relay relay) {
        return new OutboxConfig(
                database, relay, handler, retries, payload, order, deadLetters, retention, observe, admin);
    }

    public OutboxConfig withHandler(Handler handler) {
        return new OutboxConfig(
                database, relay, handler, retries, payload, order, deadLetters, retention, observe, admin);
    }

    public OutboxConfig withRetry(Retry retry) {
        Retries retries = new Retries(retry, this.retries.overrides());
        return new OutboxConfig(
                database, relay, handler, retries, payload, order, deadLetters, retention, observe, admin);
    }

    public OutboxConfig withPayload(Payload payload) {
        return new OutboxConfig(
                database, relay, handler, retries, payload, order, deadLetters, retention, observe, admin);
    }

    public OutboxConfig withOrder(Order order) {
        return new OutboxConfig(
                database, relay, handler, retries, payload, order, deadLetters, retention, observe, admin);
    }

    public OutboxConfig withRetryOverrides(Map<String, Retry> overrides) {
        Retries retries = new Retries(this.retries.general(), overrides);
        return new OutboxConfig(
                database, relay, handler, retries, payload, order, deadLetters, retention, observe, admin);
    }

    public OutboxConfig withDeadLetters(DeadLetters deadLetters) {
        return new OutboxConfig(
                database, relay, handler, retries, payload, order, deadLetters, retention, observe, admin);
    }

    /**
     * Where the tables are. The data source reads its own keys (url, user, password) itself.
     *
     * @param dialect Hibernate's, which reads it itself; empty = from the URL, or detected
     * @param independentUnits names of persistence units whose transactions publish nothing
     */
    public record Database(
            SchemaMode schema, String tablePrefix, Optional<Dialect> dialect, Set<String> independentUnits) {
        public static final Database DEFAULTS =
                new Database(SchemaMode.CREATE, SqlText.DEFAULT_PREFIX, Optional.empty(), Set.of());
    }

    public enum SchemaMode {
        CREATE,
        VERIFY,
        OFF
    }

    /**
     * @param workers handlers that run at the same time on this node
     * @param ackBatch successes that are recorded together
     * @param maxInMemory messages in this node's memory
     * @param commitLag an event that becomes visible later than this after its insert may be overtaken
     * @param nodeLabel the node's name in logs; empty = host name
     * @param shards the only ones that this node relays; empty = a fair share of all
     * @param claim how a node gets the right to an aggregate
     */
    public record Relay(
            boolean enabled,
            int workers,
            int ackBatch,
            int maxInMemory,
            Poll poll,
            Duration commitLag,
            Duration lease,
            Duration drain,
            String nodeLabel,
            Set<Integer> shards,
            ClaimStrategy claim) {
        public static final Relay DEFAULTS = new Relay(
                true,
                8,
                500,
                2000,
                Poll.DEFAULTS,
                Duration.ofMinutes(2),
                Duration.ofSeconds(10),
                Duration.ofMillis(1500),
                "",
                Set.of(),
                ClaimStrategy.SHARDS);

        public Relay withWorkers(int workers) {
            return new Relay(
                    enabled, workers, ackBatch, maxInMemory, poll, commitLag, lease, drain, nodeLabel, shards, claim);
        }

        public Relay withMaxInMemory(int maxInMemory) {
            return new Relay(
                    enabled, workers, ackBatch, maxInMemory, poll, commitLag, lease, drain, nodeLabel, shards, claim);
        }

        public Relay withLease(Duration lease) {
            return new Relay(
                    enabled, workers, ackBatch, maxInMemory, poll, commitLag, lease, drain, nodeLabel, shards, claim);
        }

        public Relay withDrain(Duration drain) {
            return new Relay(
                    enabled, workers, ackBatch, maxInMemory, poll, commitLag, lease, drain, nodeLabel, shards, claim);
        }

        public Relay withShards(Set<Integer> shards) {
            return new Relay(
                    enabled, workers, ackBatch, maxInMemory, poll, commitLag, lease, drain, nodeLabel, shards, claim);
        }

        public Relay withClaim(ClaimStrategy claim) {
            return new Relay(
                    enabled, workers, ackBatch, maxInMemory, poll, commitLag, lease, drain, nodeLabel, shards, claim);
        }

        /** The node's human-readable name. */
        public String label() {
            return nodeLabel.isEmpty() ? HostName.ofThisMachine() : nodeLabel;
        }
    }

    /** The pause between two polls that find nothing grows from the shortest to the longest. */
    public record Poll(Duration min, Duration max) {
        public static final Poll DEFAULTS = new Poll(Duration.ofMillis(10), Duration.ofSeconds(1));
    }

    /**
     * @param timeout how long one call of a handler may take before it is interrupted; zero: no limit
     * @param downAfter consecutive failures, across at least five aggregates, after which a handler is considered down
     * @param deferDelay how long a delivery waits that this node can't attempt (unknown handler, open circuit, handler
     *     down)
     * @param batchSize the most events that a handler of batches gets in one call
     */
    public record Handler(Duration timeout, int downAfter, Duration deferDelay, int batchSize) {
        public static final Handler DEFAULTS = new Handler(Duration.ofSeconds(30), 10, Duration.ofSeconds(5), 128);
    }

    /** Durable retries of one delivery; the first attempt counts. */
    public record Retry(int maxAttempts, Duration initialDelay, double multiplier, Duration maxDelay, boolean jitter) {
        public static final Retry DEFAULTS = new Retry(10, Duration.ofSeconds(1), 2.0, Duration.ofMinutes(10), true);
    }

    /** @param overrides for single types and handlers */
    public record Retries(Retry general, Map<String, Retry> overrides) {
        public static final Retries DEFAULTS = new Retries(Retry.DEFAULTS, Map.of());
    }

    /**
     * Whether later events of an aggregate wait behind a dead letter.
     *
     * @param overrides for single types and handlers
     */
    public record DeadLetters(boolean block, Map<String, Boolean> overrides) {
        public static final DeadLetters DEFAULTS = new DeadLetters(false, Map.of());
    }

    /**
     * What is kept after its work is done, and how long.
     *
     * @param inbox how long an effect or a publish key is remembered
     * @param history how long processed messages are kept; empty for ever
     * @param deadLetters how long dead letters are kept that block nothing; empty for ever
     * @param audit how long the audit of what operators have changed is kept
     * @param cleanupInterval how often a node looks for what is old enough
     * @param batchSize rows that one statement of the cleanup deletes
     */
    public record Retention(
            boolean keepHistory,
            Duration inbox,
            Optional<Duration> history,
            Optional<Duration> deadLetters,
            Duration audit,
            Duration cleanupInterval,
            int batchSize,
            Partitions partitions) {
        public static final Retention DEFAULTS = new Retention(
                false,
                Duration.ofDays(30),
                Optional.empty(),
                Optional.empty(),
                Duration.ofDays(365),
                Duration.ofMinutes(1),
                RetentionPolicy.DEFAULT_BATCH_SIZE,
                Partitions.DEFAULTS);
    }

    /**
     * The history's partitions.
     *
     * @param interval how often they are checked
     */
    public record Partitions(PartitionBy by, Duration lookAhead, Duration interval) {
        public static final Partitions DEFAULTS = new Partitions(
                PartitionBy.NONE, PartitionSettings.DEFAULT_LOOK_AHEAD, PartitionSettings.DEFAULT_INTERVAL);
    }

    /** What one partition of the history covers. */
    public enum PartitionBy {
        NONE(null),
        HOUR(Period.HOUR),
        DAY(Period.DAY),
        MONTH(Period.MONTH);

        private final Period period;

        PartitionBy(Period period) {
            this.period = period;
        }

        /** Empty if the history is not partitioned. */
        public Optional<Period> period() {
            return Optional.ofNullable(period);
        }
    }

    /** Which events are delivered one after the other, in the order of their transactions. */
    public enum Order {
        /** Those of an aggregate. */
        AGGREGATE,
        /** None: no event waits for another one. */
        NONE
    }

    /** @param validate whether text has to be JSON, unless it is stored as bytes */
    public record Payload(boolean binary, int maxBytes, boolean validate) {
        public static final Payload DEFAULTS = new Payload(false, 1 << 20, true);
    }

    /** What the server's health checks, traces and metrics show. */
    public record Observe(Health health, Tracing tracing, Metrics metrics) {
        public static final Observe DEFAULTS = new Observe(Health.DEFAULTS, Tracing.DEFAULTS, Metrics.DEFAULTS);
    }

    public record Health(boolean startup, boolean readiness, boolean liveness) {
        public static final Health DEFAULTS = new Health(true, true, true);
    }

    /** @param parentIsMessage a handler's span is a child of the message's context instead of only linked to it */
    public record Tracing(boolean enabled, boolean parentIsMessage) {
        public static final Tracing DEFAULTS = new Tracing(true, false);
    }

    /**
     * @param api the metrics API to use
     * @param backlogInterval interval at which one node counts the backlog
     */
    public record Metrics(MetricsApi api, Duration backlogInterval) {
        public static final Metrics DEFAULTS = new Metrics(MetricsApi.AUTO, Duration.ofSeconds(15));
    }

    /**
     * The admin API.
     *
     * @param enabled otherwise every path of it is unknown
     * @param edit whether editors may replay a dead letter with another payload
     * @param challenge what a request without a user is answered with, as WWW-Authenticate
     */
    public record Admin(boolean enabled, boolean edit, Roles roles, String challenge) {
        public static final Admin DEFAULTS = new Admin(false, false, Roles.DEFAULTS, "Basic realm=\"outbox\"");
    }

    /** The container's names for the roles of the admin API. */
    public record Roles(String viewer, String operator, String editor, String admin) {
        public static final Roles DEFAULTS =
                new Roles("outbox-viewer", "outbox-operator", "outbox-editor", "outbox-admin");
    }

    public enum MetricsApi {
        /** The API that is active in the server. */
        AUTO,
        MP_METRICS,
        MICROMETER,
        OPENTELEMETRY,
        NONE
    }

    /** The most specific policy: the handler's, otherwise the type's, otherwise the general one. */
    public Retry retryFor(String type, String handler) {
        return mostSpecific(retries.overrides(), type, handler, retries.general());
    }

    /** Whether this handler's dead letter of this type holds up later events; the most specific setting applies. */
    public boolean blocksOnDeadLetter(String type, String handler) {
        return mostSpecific(deadLetters.overrides(), type, handler, deadLetters.block());
    }

    private static <T> T mostSpecific(Map<String, T> overrides, String type, String handler, T general) {
        T ofHandler = overrides.get(handler);
        return ofHandler != null ? ofHandler : overrides.getOrDefault(type, general);
    }
}
