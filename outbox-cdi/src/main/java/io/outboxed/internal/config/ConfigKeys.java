package io.outboxed.internal.config;

import io.outboxed.internal.config.OutboxConfig.DatabaseProduct;
import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import io.outboxed.internal.config.OutboxConfig.SchemaMode;
import java.time.Duration;
import java.util.List;

/** Every key that exists. */
public final class ConfigKeys {
    static final String PREFIX = "outbox.";
    static final String RETRY = "outbox.retry.";

    private static final OutboxConfig.Database DATABASE = OutboxConfig.Database.DEFAULTS;
    private static final OutboxConfig.Relay OF_RELAY = OutboxConfig.Relay.DEFAULTS;
    private static final OutboxConfig.Handler OF_HANDLER = OutboxConfig.Handler.DEFAULTS;
    private static final OutboxConfig.Retry OF_RETRY = OutboxConfig.Retry.DEFAULTS;
    private static final OutboxConfig.Health OF_HEALTH = OutboxConfig.Health.DEFAULTS;
    private static final OutboxConfig.Tracing OF_TRACING = OutboxConfig.Tracing.DEFAULTS;

    static final ConfigKey<String> DATASOURCE_URL = new ConfigKey<>(
            "outbox.datasource.url",
            null,
            ValueSpec.text("a JDBC URL", ".*"),
            "the database of the business tables and the outbox; not used where java:app/jdbc/outbox is your own");
    static final ConfigKey<String> DATASOURCE_USER =
            new ConfigKey<>("outbox.datasource.user", null, ValueSpec.text("a name", ".*"), "the database's user");
    static final ConfigKey<String> DATASOURCE_PASSWORD = new ConfigKey<>(
            "outbox.datasource.password", null, ValueSpec.text("a secret", ".*"), "that user's password; never logged");
    static final ConfigKey<String> DATASOURCE_LOOKUP = new ConfigKey<>(
            "outbox.datasource.lookup",
            null,
            ValueSpec.text("a name in JNDI", "(java:)?[A-Za-z0-9_./-]+"),
            "a data source of the server whose connections take part in no transaction; java:app/jdbc/outbox then borrows its"
                    + " connections there, instead of the URL");

    static final ConfigKey<DatabaseProduct> DATASOURCE_DIALECT = new ConfigKey<>(
            "outbox.datasource.dialect",
            null,
            ValueSpec.oneOf(DatabaseProduct.class),
            "Hibernate's dialect for the outbox's table; without it the URL tells, and without a URL Hibernate asks the"
                    + " database. Open Liberty needs it with a data source of the server");

    static final ConfigKey<SchemaMode> SCHEMA = new ConfigKey<>(
            "outbox.schema",
            DATABASE.schema(),
            ValueSpec.oneOf(SchemaMode.class),
            "at start: create missing tables, only verify them, or do nothing");
    static final ConfigKey<String> TABLE_PREFIX = new ConfigKey<>(
            "outbox.table-prefix",
            DATABASE.tablePrefix(),
            ValueSpec.text("1 to 30 of a-z, 0-9 and _, a letter first", "[a-z][a-z0-9_]{0,29}"),
            "how the tables' names begin; applications that share a database use different ones");
    static final ConfigKey<String> NODE_LABEL = new ConfigKey<>(
            "outbox.node-label",
            OF_RELAY.nodeLabel(),
            ValueSpec.text("up to 64 characters", "\\P{Cntrl}{0,64}"),
            "this node's name for people; without one, the host's name");

    static final ConfigKey<Boolean> RELAY_ENABLED = new ConfigKey<>(
            "outbox.relay.enabled",
            OF_RELAY.enabled(),
            ValueSpec.onOff(),
            "false: this node stores events and leaves their delivery to others");
    static final ConfigKey<Integer> WORKERS = new ConfigKey<>(
            "outbox.relay.workers", OF_RELAY.workers(), ValueSpec.whole(1, 48), "handlers that run at the same time");
    static final ConfigKey<Integer> ACK_BATCH_SIZE = new ConfigKey<>(
            "outbox.relay.ack-batch-size",
            OF_RELAY.ackBatchSize(),
            ValueSpec.whole(1, 10_000),
            "successes that one settling statement records");
    static final ConfigKey<Integer> MAX_IN_MEMORY = new ConfigKey<>(
            "outbox.relay.max-in-memory",
            OF_RELAY.maxInMemory(),
            ValueSpec.whole(1, 100_000),
            "messages in this node's memory that the usual reads bring; as many again may come from long backlogs and waiting lanes");
    static final ConfigKey<Duration> POLL_MIN = new ConfigKey<>(
            "outbox.relay.poll-min",
            OF_RELAY.pollMin(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofSeconds(10)),
            "pause between two looks while there is work");
    static final ConfigKey<Duration> POLL_MAX = new ConfigKey<>(
            "outbox.relay.poll-max",
            OF_RELAY.pollMax(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofMinutes(1)),
            "pause between two looks after a long idle time");
    static final ConfigKey<Duration> COMMIT_LAG = new ConfigKey<>(
            "outbox.relay.commit-lag",
            OF_RELAY.commitLag(),
            ValueSpec.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            "the longest time between an event's insert and its visible commit; an event that takes longer may be overtaken by a later one of its aggregate");
    static final ConfigKey<Duration> DRAIN = new ConfigKey<>(
            "outbox.relay.drain",
            OF_RELAY.drain(),
            ValueSpec.duration(Duration.ZERO, Duration.ofMinutes(1)),
            "how long a stop waits for running handlers");
    static final ConfigKey<Duration> LEASE = new ConfigKey<>(
            "outbox.lease",
            OF_RELAY.lease(),
            ValueSpec.duration(Duration.ofSeconds(1), Duration.ofMinutes(10)),
            "a node without a sign of life for so long is dead, and its work is taken over");

    static final ConfigKey<Duration> HANDLER_TIMEOUT = new ConfigKey<>(
            "outbox.handler.timeout",
            OF_HANDLER.timeout(),
            ValueSpec.duration(Duration.ofMillis(100), Duration.ofDays(1)),
            "how long one call of a handler may take before it is interrupted");
    static final ConfigKey<Integer> DOWN_AFTER = new ConfigKey<>(
            "outbox.handler.down-after",
            OF_HANDLER.downAfter(),
            ValueSpec.whole(0, 1000),
            "a handler is held to be down after so many failures in a row over at least five aggregates; 0 = never");
    static final ConfigKey<Duration> DEFER_DELAY = new ConfigKey<>(
            "outbox.handler.defer-delay",
            OF_HANDLER.deferDelay(),
            ValueSpec.duration(Duration.ofMillis(100), Duration.ofHours(1)),
            "how long a delivery waits that can't be made now (unknown handler, open circuit, handler down)");

    static final ConfigKey<Integer> MAX_ATTEMPTS = new ConfigKey<>(
            RETRY + "max-attempts",
            OF_RETRY.maxAttempts(),
            ValueSpec.whole(1, 1000),
            "tries of one handler before its dead letter, the first one counted");
    static final ConfigKey<Duration> INITIAL_DELAY = new ConfigKey<>(
            RETRY + "initial-delay",
            OF_RETRY.initialDelay(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofDays(1)),
            "wait before the second try");
    static final ConfigKey<Double> MULTIPLIER = new ConfigKey<>(
            RETRY + "multiplier",
            OF_RETRY.multiplier(),
            ValueSpec.decimal(1, 100),
            "how much longer each wait is than the one before");
    static final ConfigKey<Duration> MAX_DELAY = new ConfigKey<>(
            RETRY + "max-delay",
            OF_RETRY.maxDelay(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofDays(30)),
            "no wait is longer");
    static final ConfigKey<Boolean> JITTER = new ConfigKey<>(
            RETRY + "jitter",
            OF_RETRY.jitter(),
            ValueSpec.onOff(),
            "true: a random wait between zero and the computed one, so that tries spread out");

    static final ConfigKey<Boolean> DEAD_LETTER_ORDER = new ConfigKey<>(
            "outbox.dead-letter.order",
            OutboxConfig.DEFAULTS.blockOnDeadLetter(),
            ValueSpec.either("skip", "block"),
            "after a dead letter the aggregate's later events go on, or wait for an operator");
    static final ConfigKey<Boolean> ON_SUCCESS = new ConfigKey<>(
            "outbox.on-success",
            OutboxConfig.DEFAULTS.keepHistory(),
            ValueSpec.either("delete", "keep"),
            "delete a message when all its handlers are done, or keep it in the history table");
    static final ConfigKey<Boolean> PAYLOAD_FORMAT = new ConfigKey<>(
            "outbox.payload.format",
            OutboxConfig.Payload.DEFAULTS.binary(),
            ValueSpec.either("json", "binary"),
            "store payloads as text, or the same text as UTF-8 bytes");
    static final ConfigKey<Integer> MAX_BYTES = new ConfigKey<>(
            "outbox.payload.max-bytes",
            OutboxConfig.Payload.DEFAULTS.maxBytes(),
            ValueSpec.whole(1, 16 << 20),
            "a larger payload is refused when it is published");

    static final ConfigKey<Boolean> HEALTH_STARTUP = new ConfigKey<>(
            "outbox.health.startup",
            OF_HEALTH.startup(),
            ValueSpec.onOff(),
            "answer the server's startup probe (MicroProfile Health)");
    static final ConfigKey<Boolean> HEALTH_READINESS = new ConfigKey<>(
            "outbox.health.readiness",
            OF_HEALTH.readiness(),
            ValueSpec.onOff(),
            "answer the server's readiness probe (MicroProfile Health)");
    static final ConfigKey<Boolean> HEALTH_LIVENESS = new ConfigKey<>(
            "outbox.health.liveness",
            OF_HEALTH.liveness(),
            ValueSpec.onOff(),
            "answer the server's liveness probe (MicroProfile Health)");
    static final ConfigKey<Boolean> TRACING = new ConfigKey<>(
            "outbox.tracing",
            OF_TRACING.enabled(),
            ValueSpec.either("none", "auto"),
            "auto: trace with OpenTelemetry where the server offers its API");
    static final ConfigKey<Boolean> TRACING_PARENT = new ConfigKey<>(
            "outbox.tracing.parent",
            OF_TRACING.parentIsMessage(),
            ValueSpec.either("link", "message"),
            "a handler's span is only linked to the publisher's trace, or a part of it");
    static final ConfigKey<MetricsApi> METRICS = new ConfigKey<>(
            "outbox.metrics",
            OutboxConfig.Metrics.DEFAULTS.api(),
            ValueSpec.oneOf(MetricsApi.class),
            "which metrics API of the server gets the outbox's figures; auto: the one that is active");
    static final ConfigKey<Duration> BACKLOG_INTERVAL = new ConfigKey<>(
            "outbox.metrics.backlog-interval",
            OutboxConfig.Metrics.DEFAULTS.backlogInterval(),
            ValueSpec.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            "between two looks at the backlog; one node takes them, for at most a twentieth of the time");

    static final List<ConfigKey<?>> OF_ONE_RETRY = List.of(MAX_ATTEMPTS, INITIAL_DELAY, MULTIPLIER, MAX_DELAY, JITTER);

    public static final List<ConfigKey<?>> ALL = List.of(
            DATASOURCE_URL,
            DATASOURCE_USER,
            DATASOURCE_PASSWORD,
            DATASOURCE_LOOKUP,
            DATASOURCE_DIALECT,
            SCHEMA,
            TABLE_PREFIX,
            NODE_LABEL,
            RELAY_ENABLED,
            WORKERS,
            ACK_BATCH_SIZE,
            MAX_IN_MEMORY,
            POLL_MIN,
            POLL_MAX,
            COMMIT_LAG,
            DRAIN,
            LEASE,
            HANDLER_TIMEOUT,
            DOWN_AFTER,
            DEFER_DELAY,
            MAX_ATTEMPTS,
            INITIAL_DELAY,
            MULTIPLIER,
            MAX_DELAY,
            JITTER,
            DEAD_LETTER_ORDER,
            ON_SUCCESS,
            PAYLOAD_FORMAT,
            MAX_BYTES,
            HEALTH_STARTUP,
            HEALTH_READINESS,
            HEALTH_LIVENESS,
            TRACING,
            TRACING_PARENT,
            METRICS,
            BACKLOG_INTERVAL);

    private ConfigKeys() {}
}
