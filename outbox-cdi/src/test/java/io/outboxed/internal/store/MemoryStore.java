package io.outboxed.internal.store;

import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MemoryTables.Dead;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.Row;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.cluster.ShardLeases;
import io.outboxed.internal.store.cluster.SharedShardLeases;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The tables in memory, under the same contract as the databases, with a clock that the test moves: for the
 * deterministic simulation, on one thread. Where a database would make the caller wait for a lock, it fails as after a
 * lock timeout.
 */
public final class MemoryStore {
    private final MemoryTables tables;
    private final LongSupplier micros;
    private final MemoryCluster cluster;
    private final MemoryRegistrations registrations;
    private final MemoryFencedWrites writes;
    private final MemoryDeadLetters deadLetters;
    private final RelayStore ports;
    private StoredResolutions listener = StoredResolutions.NONE;

    public MemoryStore(LongSupplier micros) {
        this(micros, MemoryTables.SHARDS);
    }

    /**
     * @param shards a power of two; with fewer of them read windows fill up sooner, and a simulation takes fewer steps
     */
    public MemoryStore(LongSupplier micros, int shards) {
        this.tables = new MemoryTables(shards);
        this.micros = micros;
        this.cluster = new MemoryCluster(tables);
        this.registrations = new MemoryRegistrations(tables);
        this.writes = new MemoryFencedWrites(tables, (lease, lanes) -> cluster.fence(lease), micros);
        this.deadLetters = new MemoryDeadLetters(tables, micros);
        this.ports = new RelayStore(
                cluster,
                cluster,
                registrations,
                new MemoryReading(tables, micros),
                new MemoryAcks(tables),
                writes,
                new MemoryStatistics(tables, micros),
                Optional.empty(),
                () -> 0);
    }

    public RelayStore ports() {
        return ports;
    }

    public Nodes nodes() {
        return ports.nodes();
    }

    public ShardLeases shards() {
        return ports.shards();
    }

    /** Another node joins, and is found dead. */
    public void nodeDies(String owner) {
        nodes().join(owner, owner, 1);
        NodeHeartbeat last = nodes().live().stream()
                .filter(node -> node.owner().equals(owner))
                .findFirst()
                .orElseThrow();
        if (!nodes().declareDead(last)) {
            throw new AssertionError(owner + " is alive");
        }
    }

    /** As a failover does that has lost what was committed since. */
    public void restoreShards(List<Lease> before) {
        tables.shards.clear();
        tables.shards.addAll(before);
    }

    /** The same for the handler that was registered last. */
    public void loseRegistration(String type, String handler) {
        registrations.lose(type, handler);
    }

    public HandlerRegistrations handlers() {
        return ports.handlers();
    }

    public MessageReads reads() {
        return ports.reads();
    }

    public Acks acks() {
        return ports.acks();
    }

    public Statistics statistics() {
        return ports.statistics();
    }

    /** From now on, of stores that are opened afterwards too. */
    public void listen(StoredResolutions newListener) {
        listener = newListener;
        writes.listen(newListener);
    }

    /** @param idleMicros after which the server ends it if it was not used */
    public MemoryLockSession lockSession(long idleMicros) {
        return new MemoryLockSession(tables, micros, idleMicros);
    }

    /** As a node sees it that claims lanes in this session. */
    public RelayStore ports(MemoryLockSession session) {
        return ports(session, cluster);
    }

    /** @param shards as this node reaches them */
    public RelayStore ports(MemoryLockSession session, ShardLeases shards) {
        return ports(session, session::owner, shards, (lease, lanes) -> session.fence(lease));
    }

    /** As a node sees it that claims lanes by rows. */
    public RelayStore portsWithClaimRows() {
        MemoryClaimRows rows = new MemoryClaimRows(tables);
        return ports(rows, rows::owner, cluster, rows::fence);
    }

    private RelayStore ports(
            LaneLocks claims, Supplier<String> owner, ShardLeases shards, BiConsumer<Lease, List<Long>> fence) {
        MemoryFencedWrites fenced = new MemoryFencedWrites(tables, fence, micros);
        fenced.listen(listener);
        return new RelayStore(
                cluster,
                new SharedShardLeases(shards, claims.kind(), owner),
                registrations,
                ports.reads(),
                ports.acks(),
                fenced,
                ports.statistics(),
                Optional.of(claims),
                () -> 0);
    }

    /** Whether the node is the present holder of this lease, by any kind of claim. */
    public boolean holds(Lease lease) {
        return cluster.holds(lease) || tables.isShared(lease);
    }

    /** As an operator's replay of a dead letter. @return false if there is none */
    public boolean replay(UUID message, String handler) {
        return deadLetters.replay(message, handler);
    }

    public MemoryTransaction begin() {
        return new MemoryTransaction(tables);
    }

    /** The row of a business transaction that has not committed: it has its number but is not visible. */
    public MessageHead insertUncommitted(
            UUID id, String type, long lane, long registryVersion, long delayMicros, String text) {
        MessageHead head = insert(id, type, lane, registryVersion, delayMicros, text);
        tables.row(head).uncommitted = true;
        return head;
    }

    public void commit(MessageHead head) {
        tables.row(head).uncommitted = false;
    }

    public void rollback(MessageHead head) {
        tables.delete(head);
    }

    /** Deletes a row as if it had never been. @return false if it is locked, waits or is gone */
    public boolean remove(MessageHead head) {
        Row row = tables.row(head);
        boolean free = row != null && row.lockedBy == null && row.status == MessageState.READY;
        if (free) {
            tables.delete(head);
        }
        return free;
    }

    public record DeadLetterId(UUID message, String handler) {}

    public List<DeadLetterId> dead() {
        return deadLetters.ids();
    }

    /** A committed business transaction's row. */
    public MessageHead insert(UUID id, String type, long lane, long registryVersion, long delayMicros, String text) {
        long seq = ++tables.lastSeq;
        int shard = (int) (lane & tables.shards.size() - 1);
        MessageHead head = new MessageHead(
                seq,
                id,
                shard,
                lane,
                type,
                MemoryTables.AGGREGATE_TYPE,
                MessageState.READY,
                0,
                registryVersion,
                text.length(),
                0,
                false,
                null,
                null);
        Row row = new Row(head, micros.getAsLong(), delayMicros, text);
        tables.messages.put(row);
        return row.head(micros.getAsLong());
    }

    public int messages() {
        return tables.messages.size();
    }

    public int waitRows() {
        return tables.lanes.size() + tables.deliveries.size();
    }

    int deliveryRows() {
        return tables.deliveries.size();
    }

    Map<DeliveryKey, Dead> deadLetters() {
        return deadLetters.all();
    }

    boolean isBlocked(DeliveryKey key) {
        return deadLetters.isBlocked(key);
    }

    public List<String> deadErrors() {
        return deadLetters.all().values().stream().map(Dead::error).toList();
    }

    public List<UUID> deadMessages() {
        return deadLetters.ids().stream().map(DeadLetterId::message).toList();
    }

    public int starts(MessageHead head) {
        return tables.row(head).starts;
    }

    public void setStarts(MessageHead head, int starts) {
        tables.row(head).starts = starts;
    }

    /** As an operator does with a handler that is gone. */
    public void retire(String type, String handler) {
        registrations.retire(type, handler);
    }

    /** As an operator does. */
    public void pause(PauseTarget target) {
        tables.pauses.add(new Pause(target, Instant.EPOCH, "operator", ""));
    }

    public void resume(PauseTarget target) {
        tables.pauses.removeIf(pause -> pause.target().equals(target));
    }

    public List<Pause> pauses() {
        return List.copyOf(tables.pauses);
    }

    public boolean isDead(String handler, UUID message) {
        return deadLetters.contains(message, handler);
    }
}
