package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.ShardStatus;
import io.outboxed.admin.StoredEvent;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.operations.check.OutboxCheck;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.DeadLetterPosition;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.OperatorReads;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import io.outboxed.internal.store.jdbc.RetryNow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** The operations on the tables of one prefix in one database. Connections are opened when they are needed. */
public final class OutboxOperations implements AutoCloseable {
    private static final int CONNECTIONS = 2;
    private static final int MAX_DEAD = 1_000;

    private final ConnectionSource source;
    private final Dialect dialect;
    private final String prefix;
    private final Connections connections;
    private final OperatorReads reads;
    private final OperationsSql sql;
    private final DeadLetterStore deadLetters;
    private final RetryNow retries;
    private final RetiredDeliveries retiredDeliveries;
    private final MessageSearch messages;
    private final ManualCleanup cleanup;
    private final AuditTrail audit;
    private final PauseSwitch pauses;

    /** @param source opens connections that take part in no JTA transaction */
    public OutboxOperations(ConnectionSource source, Dialect dialect, String prefix) {
        this.source = source;
        this.dialect = dialect;
        this.prefix = prefix;
        this.connections = Connections.forOperators(source, dialect, CONNECTIONS);
        this.reads = OperatorReads.on(connections, dialect, prefix);
        this.sql = new OperationsSql(dialect, prefix);
        this.deadLetters = new DeadLetterStore(source, dialect, prefix);
        this.retries = new RetryNow(connections, dialect, prefix);
        this.retiredDeliveries = new RetiredDeliveries(connections, dialect, prefix);
        this.messages = new MessageSearch(connections, sql);
        this.cleanup = new ManualCleanup(source, dialect, prefix);
        this.audit = new AuditTrail(connections, sql);
        this.pauses = new PauseSwitch(connections, sql, reads.handlers(), audit);
    }

    /** Connects once to find out which database it is. */
    public static OutboxOperations open(ConnectionSource source, String prefix) {
        try (Connection connection = source.open()) {
            return new OutboxOperations(source, Dialect.from(connection.getMetaData()), prefix);
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("connecting to the database", e);
        }
    }

    // ---- what is there ----

    public OutboxStatus status() {
        return new StatusReader(connections, sql, reads).read(pauses.inForce());
    }

    public List<ShardStatus> shards() {
        return reads.shards().all().stream()
                .map(shard -> new ShardStatus(shard.shard(), shard.owner(), shard.epoch()))
                .toList();
    }

    public List<RegisteredHandler> handlers() {
        return connections.autoCommit(jdbc -> HandlerList.read(jdbc, sql));
    }

    public HandlerRegistrations handlerRegistrations() {
        return reads.handlers();
    }

    public MessageSearch messages() {
        return messages;
    }

    /** Everything that is stored about an event, except its content. */
    public StoredEvent event(UUID id) {
        StoredEvent found = read(id);
        // between two reads it may have moved: from its row to a dead letter, or back
        return found.isEmpty() ? read(id) : found;
    }

    private StoredEvent read(UUID id) {
        return messages.find(id, deadLetters.ofEvent(id, MAX_DEAD));
    }

    public AggregateView aggregates() {
        return new AggregateView(connections, sql, pauses);
    }

    public FailureGroups failures() {
        return new FailureGroups(deadLetters);
    }

    public DeadLetterStore deadLetters() {
        return deadLetters;
    }

    /** @param after the last one of the previous page, or null */
    public DeadLetters.Page deadLetters(DeadLetterFilter filter, DeadLetterPosition after, int limit) {
        List<DeadLetter> found = deadLetters.find(filter, after, limit + 1);
        return found.size() <= limit
                ? new DeadLetters.Page(found, null)
                : new DeadLetters.Page(
                        found.subList(0, limit),
                        DeadLetterPosition.of(found.get(limit - 1)).text());
    }

    // ---- what can be changed ----

    public DeadLetterChanges deadLetterChanges() {
        return new DeadLetterChanges(deadLetters, audit);
    }

    public BulkOperations bulk() {
        return bulk(connections);
    }

    /**
     * Works on bulk operations.
     *
     * @param lasting connections that stay open between two calls
     * @param discarded gets each discarded dead letter after the commit
     */
    public BulkRunner bulkRunner(Connections lasting, Consumer<DeadLetter> discarded) {
        BulkRetry retry = new BulkRetry(MessageSearch.inSteps(lasting, sql), new RetryNow(lasting, dialect, prefix));
        return new BulkRunner(bulk(lasting), deadLetters.batches(lasting), retry, audit, discarded);
    }

    private BulkOperations bulk(Connections on) {
        return new BulkOperations(on, new BulkSql(dialect, prefix), deadLetters, messages, audit);
    }

    /** @return false if no such delivery waits */
    public boolean retryNow(UUID messageId, String handler, Attribution by) {
        return retries.retryNow(messageId, handler, audit.each(by, "retry-now"));
    }

    /** The event types for which the handler is registered, and whether it is retired there. */
    public Map<String, Boolean> registrations(String handler) {
        return retiredDeliveries.registrations(handler);
    }

    public HandlerDrop handlerDrop() {
        return new HandlerDrop(
                retiredDeliveries, () -> new RetiredDeliveries(source, dialect, prefix), messages, audit);
    }

    public PauseSwitch pauses() {
        return pauses;
    }

    public AuditTrail audit() {
        return audit;
    }

    public ManualCleanup cleanup() {
        return cleanup;
    }

    public HistoryPartitions partitions() {
        return new HistoryPartitions(source, dialect, prefix, audit);
    }

    // ---- the database ----

    public Schema schema() {
        return new Schema(source, dialect, prefix);
    }

    public OutboxCheck check() {
        return new OutboxCheck(source, dialect, prefix);
    }

    public DatabaseDescription description() {
        return DatabaseDescription.of(source);
    }

    /** The database's clock. */
    public Instant clock() {
        return EpochMicros.toInstant(reads.statistics().clock());
    }

    @Override
    public void close() {
        cleanup.close();
        deadLetters.close();
        connections.close();
    }
}
