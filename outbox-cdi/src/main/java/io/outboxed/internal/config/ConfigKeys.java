package io.outboxed.internal.config;

import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import io.outboxed.internal.config.OutboxConfig.PartitionBy;
import io.outboxed.internal.config.OutboxConfig.SchemaMode;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Every key that exists. */
public final class ConfigKeys {
    static final String PREFIX = "outbox.";
    private static final String RETRY = "outbox.retry.";

    private static final List<ConfigKey<?>> MADE = new ArrayList<>();

    /** In the order of this file. */
    public static final List<ConfigKey<?>> ALL = Collections.unmodifiableList(MADE);

    private static final OutboxConfig.Database DATABASE = OutboxConfig.Database.DEFAULTS;
    private static final OutboxConfig.Relay OF_RELAY = OutboxConfig.Relay.DEFAULTS;
    private static final OutboxConfig.Handler OF_HANDLER = OutboxConfig.Handler.DEFAULTS;
    private static final OutboxConfig.Retry OF_RETRY = OutboxConfig.Retry.DEFAULTS;
    private static final OutboxConfig.Health OF_HEALTH = OutboxConfig.Health.DEFAULTS;
    private static final OutboxConfig.Tracing OF_TRACING = OutboxConfig.Tracing.DEFAULTS;
    private static final OutboxConfig.Admin OF_ADMIN = OutboxConfig.Admin.DEFAULTS;
    private static final ValueSpec<String> ROLE = ValueSpec.text("up to 100 characters", "\\P{Cntrl}{1,100}");

    static final ConfigKey<String> DATASOURCE_URL = key(
            "outbox.datasource.url",
            null,
            ValueSpec.text("a JDBC URL", ".*"),
            "the database of the business tables and the outbox; leave it out if you define java:app/jdbc/outbox"
                    + " yourself");
    static final ConfigKey<String> DATASOURCE_USER =
            key("outbox.datasource.user", null, ValueSpec.text("a name", ".*"), "the database user");
    static final ConfigKey<String> DATASOURCE_PASSWORD = key(
            "outbox.datasource.password",
            null,
            ValueSpec.text("a secret", ".*"),
            "the password of that user; never logged");
    static final ConfigKey<String> DATASOURCE_LOOKUP = key(
            "outbox.datasource.lookup",
            null,
            ValueSpec.text(
                    "a JNDI name other than java:app/jdbc/outbox", "(?!java:app/jdbc/outbox$)(java:)?[A-Za-z0-9_./-]+"),
            "a non-transactional data source of the server, from which java:app/jdbc/outbox takes its connections;"
                    + " replaces the URL");

    static final ConfigKey<Dialect> DATASOURCE_DIALECT = key(
            "outbox.datasource.dialect",
            null,
            ValueSpec.oneOf(Dialect.class),
            "Hibernate's dialect for the outbox table, that of the database; default: taken from the URL, or without a"
                    + " URL detected by Hibernate. Required on Open Liberty with a data source of the server");

    static final ConfigKey<Set<String>> INDEPENDENT_UNITS = key(
            "outbox.datasource.independent-units",
            DATABASE.independentUnits(),
            ValueSpec.names("names of persistence units, such as reports,archive"),
            "persistence units whose transactions publish no events; only they may be on a data source that can't share"
                    + " a transaction with java:app/jdbc/outbox");

    static final ConfigKey<SchemaMode> SCHEMA = key(
            "outbox.schema",
            DATABASE.schema(),
            ValueSpec.oneOf(SchemaMode.class),
            "at startup: create missing tables, only verify them, or skip the table check");
    static final ConfigKey<String> TABLE_PREFIX = key(
            "outbox.table-prefix",
            DATABASE.tablePrefix(),
            ValueSpec.text(SqlText.PREFIX_IN_WORDS, SqlText.PREFIX),
            "prefix of the table names; applications that share a database need different ones");
    static final ConfigKey<String> NODE_LABEL = key(
            "outbox.node-label",
            OF_RELAY.nodeLabel(),
            ValueSpec.text("up to 64 characters", "\\P{Cntrl}{0,64}"),
            "human-readable name of this node; default: the host name");

    static final ConfigKey<Boolean> RELAY_ENABLED = key(
            "outbox.relay.enabled",
            OF_RELAY.enabled(),
            ValueSpec.onOff(),
            "false: this node stores events and leaves their delivery to other nodes");
    static final ConfigKey<Set<Integer>> SHARDS = key(
            "outbox.relay.shards",
            null,
            new ValueSpec<>(ShardRanges.IN_WORDS, ShardRanges::parse, ShardRanges::show),
            "the shards that this node relays, whatever other nodes do; set it on all nodes or on none. Not set: a fair"
                    + " share of all shards");
    static final ConfigKey<ClaimStrategy> CLAIM = key(
            "outbox.relay.claim",
            OF_RELAY.claim(),
            ValueSpec.oneOf(ClaimStrategy.class),
            "how nodes share the aggregates: by leased shards, or (both experimental) with a lock of the"
                    + " database or with a row for each aggregate");
    static final ConfigKey<Integer> WORKERS = key(
            "outbox.relay.workers",
            OF_RELAY.workers(),
            ValueSpec.whole(1, 48),
            "handler calls that run at the same time on this node; with several handlers, each gets at most half. A"
                    + " call of the forwarder to Kafka sends up to 128 events");
    static final ConfigKey<Integer> ACK_BATCH_SIZE = key(
            "outbox.relay.ack-batch-size",
            OF_RELAY.ackBatch(),
            ValueSpec.whole(1, 10_000),
            "maximum number of successes recorded in one batch");
    static final ConfigKey<Integer> MAX_IN_MEMORY = key(
            "outbox.relay.max-in-memory",
            OF_RELAY.maxInMemory(),
            ValueSpec.whole(1, 100_000),
            "maximum number of messages that regular reads keep in memory; long backlogs and waiting deliveries have"
                    + " additional room, together one and a half times as much");
    static final ConfigKey<Duration> POLL_MIN = key(
            "outbox.relay.poll-min",
            OF_RELAY.poll().min(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofSeconds(10)),
            "poll interval while there is work");
    static final ConfigKey<Duration> POLL_MAX = key(
            "outbox.relay.poll-max",
            OF_RELAY.poll().max(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofMinutes(1)),
            "poll interval after a long idle time");
    static final ConfigKey<Duration> COMMIT_LAG = key(
            "outbox.relay.commit-lag",
            OF_RELAY.commitLag(),
            ValueSpec.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            "the longest time from an event's insert until its commit is visible; an event that takes longer may be"
                    + " overtaken by a later one of its aggregate");
    static final ConfigKey<Duration> DRAIN = key(
            "outbox.relay.drain",
            OF_RELAY.drain(),
            ValueSpec.duration(Duration.ZERO, Duration.ofMinutes(1)),
            "how long a stopping node waits for running handlers; longer only for an answer of the database");
    static final ConfigKey<Duration> LEASE = key(
            "outbox.lease",
            OF_RELAY.lease(),
            ValueSpec.duration(Duration.ofSeconds(1), Nodes.LONGEST_LEASE),
            "a node without a heartbeat for this long is considered dead, and other nodes take over its work");

    static final ConfigKey<Duration> HANDLER_TIMEOUT = key(
            "outbox.handler.timeout",
            OF_HANDLER.timeout(),
            ValueSpec.durationOrZero(Duration.ofMillis(100), Duration.ofDays(1)),
            "how long a handler call may take before it is interrupted; 0 = no limit");
    static final ConfigKey<Integer> DOWN_AFTER = key(
            "outbox.handler.down-after",
            OF_HANDLER.downAfter(),
            ValueSpec.whole(0, 1000),
            "consecutive failures, across at least five aggregates, after which a handler is considered down; 0 ="
                    + " never");
    static final ConfigKey<Duration> DEFER_DELAY = key(
            "outbox.handler.defer-delay",
            OF_HANDLER.deferDelay(),
            ValueSpec.duration(Duration.ofMillis(100), Duration.ofHours(1)),
            "delay of a delivery that can't be made now (unknown handler, open circuit, handler down), up to a"
                    + " quarter less at random; longer if many aggregates wait");
    static final ConfigKey<Integer> BATCH_SIZE = key(
            "outbox.handler.batch-size",
            OF_HANDLER.batchSize(),
            ValueSpec.whole(1, 128),
            "maximum number of events of one aggregate that an observer of `EventBatch` gets in one call");

    static final ConfigKey<Integer> MAX_ATTEMPTS = key(
            RETRY + "max-attempts",
            OF_RETRY.maxAttempts(),
            ValueSpec.whole(1, 1000),
            "attempts of a handler, including the first one, before the delivery becomes a dead letter");
    static final ConfigKey<Duration> INITIAL_DELAY = key(
            RETRY + "initial-delay",
            OF_RETRY.initialDelay(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofDays(1)),
            "delay before the second attempt");
    static final ConfigKey<Double> MULTIPLIER = key(
            RETRY + "multiplier",
            OF_RETRY.multiplier(),
            ValueSpec.decimal(1, 100),
            "factor by which the delay grows with each attempt");
    static final ConfigKey<Duration> MAX_DELAY = key(
            RETRY + "max-delay",
            OF_RETRY.maxDelay(),
            ValueSpec.duration(Duration.ofMillis(1), Duration.ofDays(30)),
            "upper bound of the delay");
    static final ConfigKey<Boolean> JITTER = key(
            RETRY + "jitter",
            OF_RETRY.jitter(),
            ValueSpec.onOff(),
            "true: use a random delay between zero and the computed one, to spread out retries");

    static final ConfigKey<Boolean> DEAD_LETTER_ORDER = key(
            "outbox.dead-letter.order",
            OutboxConfig.DeadLetters.DEFAULTS.block(),
            ValueSpec.either("skip", "block"),
            "after a dead letter, skip: continue with the aggregate's later events; block: wait for an operator");
    static final ConfigKey<Boolean> ON_SUCCESS = key(
            "outbox.on-success",
            OutboxConfig.Retention.DEFAULTS.keepHistory(),
            ValueSpec.either("delete", "keep"),
            "when all handlers of a message have succeeded, delete it, or keep it in the history table");
    static final ConfigKey<Duration> INBOX_RETENTION = key(
            "outbox.inbox.retention",
            OutboxConfig.Retention.DEFAULTS.inbox(),
            ValueSpec.duration(Duration.ofMinutes(1), Duration.ofDays(3650)),
            "how long an effect, a publish key or a publisher-supplied event id is remembered; after that,"
                    + " a repetition, even a retry, is treated as new: keep it above outbox.retry.max-delay"
                    + " (OUTBOX-0294)");
    static final ConfigKey<Duration> HISTORY_RETENTION = key(
            "outbox.history.retention",
            null,
            ValueSpec.duration(Duration.ofMinutes(1), Duration.ofDays(3650)),
            "how long processed messages stay in the history; not set: forever");
    static final ConfigKey<PartitionBy> HISTORY_PARTITION = key(
            "outbox.history.partition",
            OutboxConfig.Partitions.DEFAULTS.by(),
            ValueSpec.oneOf(PartitionBy.class),
            "one partition of the history for each hour, day or month: old partitions are dropped, which replaces"
                    + " deleting their rows. Needs the privilege to change the table; not on H2");
    static final ConfigKey<Duration> PARTITION_LOOK_AHEAD = key(
            "outbox.history.partition.look-ahead",
            OutboxConfig.Partitions.DEFAULTS.lookAhead(),
            ValueSpec.duration(Duration.ofHours(1), Duration.ofDays(365)),
            "how far into the future partitions are created; at most 1000 periods");
    static final ConfigKey<Duration> PARTITION_INTERVAL = key(
            "outbox.history.partition.interval",
            OutboxConfig.Partitions.DEFAULTS.interval(),
            ValueSpec.duration(Duration.ofMinutes(1), Duration.ofDays(1)),
            "interval at which one node checks the partitions");
    static final ConfigKey<Duration> DEAD_LETTER_RETENTION = key(
            "outbox.dead-letter.retention",
            null,
            ValueSpec.duration(Duration.ofMinutes(1), Duration.ofDays(3650)),
            "how long dead letters that block nothing are kept; not set: until replayed or discarded");
    static final ConfigKey<Duration> AUDIT_RETENTION = key(
            "outbox.audit.retention",
            OutboxConfig.Retention.DEFAULTS.audit(),
            ValueSpec.duration(Duration.ofDays(1), Duration.ofDays(3650)),
            "how long the audit of operators' changes is kept, and bulk operations that have ended");
    static final ConfigKey<Duration> CLEANUP_INTERVAL = key(
            "outbox.cleanup.interval",
            OutboxConfig.Retention.DEFAULTS.cleanupInterval(),
            ValueSpec.duration(Duration.ofMinutes(1), Duration.ofDays(1)),
            "interval at which one node deletes old rows, from the end of a run to the next one");
    static final ConfigKey<Integer> CLEANUP_BATCH_SIZE = key(
            "outbox.cleanup.batch-size",
            OutboxConfig.Retention.DEFAULTS.batchSize(),
            ValueSpec.whole(1, 10_000),
            "maximum number of old rows deleted by one statement");
    static final ConfigKey<Boolean> PAYLOAD_FORMAT = key(
            "outbox.payload.format",
            OutboxConfig.Payload.DEFAULTS.binary(),
            ValueSpec.either("json", "binary"),
            "store payloads as text, or as the same text in UTF-8 bytes");
    static final ConfigKey<Integer> MAX_BYTES = key(
            "outbox.payload.max-bytes",
            OutboxConfig.Payload.DEFAULTS.maxBytes(),
            ValueSpec.whole(1, 16 << 20),
            "maximum payload size; publishing a larger one fails");
    static final ConfigKey<Boolean> PAYLOAD_VALIDATE = key(
            "outbox.payload.validate",
            OutboxConfig.Payload.DEFAULTS.validate(),
            ValueSpec.onOff(),
            "true: with the format json, publishing text that is not JSON fails");
    static final ConfigKey<OutboxConfig.Order> ORDER = key(
            "outbox.order",
            OutboxConfig.DEFAULTS.order(),
            ValueSpec.oneOf(OutboxConfig.Order.class),
            "aggregate: the events of an aggregate that this node publishes are delivered one after the other, in order;"
                    + " none: each by itself");

    static final ConfigKey<Boolean> HEALTH_STARTUP = key(
            "outbox.health.startup",
            OF_HEALTH.startup(),
            ValueSpec.onOff(),
            "expose the startup check (MicroProfile Health)");
    static final ConfigKey<Boolean> HEALTH_READINESS = key(
            "outbox.health.readiness",
            OF_HEALTH.readiness(),
            ValueSpec.onOff(),
            "expose the readiness check (MicroProfile Health)");
    static final ConfigKey<Boolean> HEALTH_LIVENESS = key(
            "outbox.health.liveness",
            OF_HEALTH.liveness(),
            ValueSpec.onOff(),
            "expose the liveness check (MicroProfile Health)");
    static final ConfigKey<Boolean> TRACING = key(
            "outbox.tracing",
            OF_TRACING.enabled(),
            ValueSpec.either("none", "auto"),
            "auto: trace with OpenTelemetry if the server provides its API");
    static final ConfigKey<Boolean> TRACING_PARENT = key(
            "outbox.tracing.parent",
            OF_TRACING.parentIsMessage(),
            ValueSpec.either("link", "message"),
            "link: a handler's span is linked to the publisher's trace; message: it is part of that trace");
    static final ConfigKey<MetricsApi> METRICS = key(
            "outbox.metrics",
            OutboxConfig.Metrics.DEFAULTS.api(),
            ValueSpec.oneOf(MetricsApi.class),
            "the metrics API to report to; auto: the one that is active in the server; none: the backlog is not counted either");
    static final ConfigKey<Duration> BACKLOG_INTERVAL = key(
            "outbox.metrics.backlog-interval",
            OutboxConfig.Metrics.DEFAULTS.backlogInterval(),
            ValueSpec.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            "interval at which one node counts the backlog; unless a count takes longer than 15 s, counting takes at most a twentieth of the time");

    static final ConfigKey<Boolean> ADMIN_ENABLED = key(
            "outbox.admin.enabled",
            OF_ADMIN.enabled(),
            ValueSpec.onOff(),
            "true: the jar outbox-admin serves its API; false: it responds 404 to every request");
    static final ConfigKey<Boolean> ADMIN_EDIT = key(
            "outbox.admin.edit",
            OF_ADMIN.edit(),
            ValueSpec.onOff(),
            "true: editors may replay a dead letter with another payload, as a new event");
    static final ConfigKey<String> ADMIN_VIEWER = key(
            "outbox.admin.role.viewer",
            OF_ADMIN.roles().viewer(),
            ROLE,
            "the container's name for the role that may see everything but the content of events and the audit");
    static final ConfigKey<String> ADMIN_OPERATOR = key(
            "outbox.admin.role.operator",
            OF_ADMIN.roles().operator(),
            ROLE,
            "the role that may also retry, replay, discard single dead letters, and pause handlers and types");
    static final ConfigKey<String> ADMIN_EDITOR = key(
            "outbox.admin.role.editor",
            OF_ADMIN.roles().editor(),
            ROLE,
            "the role that may also see payloads, and change them if outbox.admin.edit is true");
    static final ConfigKey<String> ADMIN_ADMIN = key(
            "outbox.admin.role.admin",
            OF_ADMIN.roles().admin(),
            ROLE,
            "the role that may do what an operator may, discard many dead letters at once, and pause everything");
    static final ConfigKey<String> ADMIN_CHALLENGE = key(
            "outbox.admin.challenge",
            OF_ADMIN.challenge(),
            ValueSpec.text("printable ASCII", "[\\x20-\\x7e]{1,200}"),
            "the `WWW-Authenticate` header of the 401 response; for tokens: Bearer");

    /** These can also be set for one event type or one handler. */
    static final List<ConfigKey<?>> PER_TYPE_OR_HANDLER =
            List.of(MAX_ATTEMPTS, INITIAL_DELAY, MULTIPLIER, MAX_DELAY, JITTER, DEAD_LETTER_ORDER);

    private ConfigKeys() {}

    private static <T> ConfigKey<T> key(String name, T defaultValue, ValueSpec<T> allowed, String meaning) {
        ConfigKey<T> key = new ConfigKey<>(name, defaultValue, allowed, meaning);
        MADE.add(key);
        return key;
    }
}
