package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.Dead;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import io.outboxed.internal.store.MemoryTables.NodeRow;
import io.outboxed.internal.store.MemoryTables.Row;
import io.outboxed.internal.store.MemoryTables.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The tables in memory, under the same contract as the databases, with a clock that the test moves: for the deterministic
 * simulation, on one thread. Where a database would let the caller wait for a lock, it fails as after a lock timeout.
 */
public final class MemoryStore implements RelayStore {
    private final MemoryTables tables;
    private final LongSupplier micros;
    private final MemoryReading reading;
    private final MemoryDecisions decisions;

    public MemoryStore(LongSupplier micros) {
        this(micros, MemoryTables.SHARDS);
    }

    /** @param shards a power of two; with few of them windows are full sooner, and there is less to step over */
    public MemoryStore(LongSupplier micros, int shards) {
        this.tables = new MemoryTables(shards);
        this.micros = micros;
        this.reading = new MemoryReading(tables, micros);
        this.decisions = new MemoryDecisions(tables, micros);
    }

    public MemoryTransaction begin() {
        return new MemoryTransaction(tables);
    }

    /** The row of a business transaction that has not committed: it has its number, nobody sees it. */
    public Head insertUncommitted(UUID id, String type, long lane, long registry, long delayMicros, String text) {
        Head head = insert(id, type, lane, registry, delayMicros, text);
        tables.row(head).uncommitted = true;
        return head;
    }

    public void commit(Head head) {
        tables.row(head).uncommitted = false;
    }

    public void rollback(Head head) {
        tables.delete(head);
    }

    /** As an operator's replay of a dead letter. @return false if there is none */
    public boolean replay(UUID message, String handler) {
        return decisions.replay(message, handler, ++tables.lastSeq);
    }

    /** A committed business transaction's row. */
    public Head insert(UUID id, String type, long lane, long registry, long delayMicros, String text) {
        long seq = ++tables.lastSeq;
        int shard = (int) (lane & tables.shards.size() - 1);
        Head head = new Head(seq, id, shard, lane, type, Head.Status.READY, 0, registry, text.length(), 0, false, null);
        Row row = new Row(head, micros.getAsLong(), delayMicros, text);
        tables.messages.put(seq, row);
        return row.head(micros.getAsLong());
    }

    public int messages() {
        return tables.messages.size();
    }

    public int waitRows() {
        return tables.lanes.size() + tables.deliveries.size();
    }

    public record DeadLetterId(UUID message, String handler) {}

    public List<DeadLetterId> dead() {
        return tables.dead.keySet().stream()
                .map(key -> new DeadLetterId(key.message(), key.handler()))
                .toList();
    }

    int deliveryRows() {
        return tables.deliveries.size();
    }

    Map<DeliveryKey, Dead> deadLetters() {
        return tables.dead;
    }

    boolean isBlocked(DeliveryKey key) {
        DeliveryRow row = tables.deliveries.get(key);
        return row != null && row.state == State.BLOCKED;
    }

    public boolean isDead(String handler, UUID message) {
        return tables.dead.containsKey(new DeliveryKey(message, handler));
    }

    @Override
    public void join(String owner, String label, long generation) {
        tables.nodes.put(owner, new NodeRow(label, generation));
    }

    @Override
    public boolean beat(String owner) {
        NodeRow node = tables.nodes.get(owner);
        if (node == null || !node.live) {
            return false;
        }
        node.beat++;
        return true;
    }

    @Override
    public List<NodeBeat> nodes() {
        List<NodeBeat> live = new ArrayList<>();
        tables.nodes.forEach((owner, node) -> {
            if (node.live) {
                live.add(new NodeBeat(owner, node.label, node.generation, node.beat));
            }
        });
        return live;
    }

    @Override
    public boolean declareDead(NodeBeat observed) {
        NodeRow node = tables.nodes.get(observed.owner());
        boolean dies = node != null && node.live && node.beat == observed.beat();
        if (dies) {
            node.live = false;
        }
        return dies;
    }

    @Override
    public List<ShardOwner> shards() {
        return List.copyOf(tables.shards);
    }

    @Override
    public OptionalLong take(ShardOwner observed, String newOwner) {
        if (!tables.shards.get(observed.shard()).equals(observed)) {
            return OptionalLong.empty();
        }
        assign(observed.shard(), newOwner);
        return OptionalLong.of(tables.shards.get(observed.shard()).epoch());
    }

    @Override
    public boolean handOver(Lease lease, String newOwner) {
        if (!holds(lease)) {
            return false;
        }
        assign(lease.shard(), newOwner);
        return true;
    }

    @Override
    public void release(Collection<Lease> leases) {
        for (Lease lease : leases) {
            if (holds(lease)) {
                assign(lease.shard(), null);
            }
        }
    }

    @Override
    public void leave(String owner) {
        tables.nodes.get(owner).live = false;
    }

    @Override
    public long register(Collection<HandlerKey> handlers) {
        boolean grew = false;
        for (HandlerKey key : handlers) {
            grew |= tables.handlers
                    .computeIfAbsent(key.type(), type -> new TreeSet<>())
                    .add(key.handler());
        }
        if (grew) {
            tables.registryVersion++;
        }
        return tables.registryVersion;
    }

    @Override
    public Registry registry() {
        Map<String, SortedSet<String>> copy = new TreeMap<>();
        tables.handlers.forEach((type, names) -> copy.put(type, new TreeSet<>(names)));
        return new Registry(tables.registryVersion, copy);
    }

    @Override
    public List<Head> ready(Collection<Window> windows) {
        return reading.ready(windows);
    }

    @Override
    public List<Head> lanes(Collection<Long> lanes, int limit) {
        return lanes.stream()
                .flatMap(lane -> reading.lane(lane, limit).stream())
                .sorted(Comparator.comparingLong(Head::seq))
                .toList();
    }

    @Override
    public List<Waiting> waiting(long lane, String handler, int limit) {
        return reading.waiting(lane, handler, limit);
    }

    @Override
    public List<WaitingLane> due(Collection<Integer> shards, int limit) {
        return reading.due(shards, limit);
    }

    @Override
    public Map<Long, Set<String>> waits(Collection<Long> lanes) {
        return reading.waits(lanes);
    }

    @Override
    public Set<Integer> waitingShards(Collection<Integer> shards) {
        return reading.waitingShards(shards);
    }

    @Override
    public Map<UUID, Set<String>> done(Collection<UUID> messages) {
        return reading.done(messages);
    }

    @Override
    public List<Body> bodies(Collection<Long> seqs) {
        return reading.bodies(seqs);
    }

    @Override
    public long highest(int shard) {
        return reading.highest(shard);
    }

    @Override
    public Backlog backlog() {
        return reading.backlog();
    }

    @Override
    public long clock() {
        return micros.getAsLong();
    }

    @Override
    public void settle(List<Settled> batch) {
        UUID held = null;
        for (Settled each : batch) {
            Row row = tables.row(each.head());
            if (row != null && row.lockedBy != null) {
                held = each.head().id();
            } else if (row != null) {
                settle(row, each);
            }
        }
        if (held != null) {
            throw MemoryTables.held(held);
        }
    }

    /** The row's present status decides: a late fact neither revives a message nor leaves rows behind. */
    private void settle(Row row, Settled each) {
        Head head = each.head();
        DeliveryKey key = new DeliveryKey(head.id(), each.handler());
        row.version++;
        if (row.status == Head.Status.SPLIT) {
            tables.deliveries.remove(key);
            if (!tables.hasDeliveries(head.id())) {
                tables.delete(head);
            }
        } else if (each.how() == Settlement.LAST) {
            tables.delete(head);
        } else {
            tables.deliveries.put(key, new DeliveryRow(head.seq(), head.lane(), State.DONE));
        }
    }

    @Override
    public void decide(Lease lease, List<Decision> list) {
        fence(lease);
        decisions.carryOut(list);
    }

    @Override
    public boolean clear(Lease lease, WaitingLane lane) {
        fence(lease);
        boolean anyLeft = lane.handler().equals(WaitingLane.WHOLE)
                ? tables.messages.values().stream()
                        .anyMatch(row -> row.first.lane() == lane.lane() && row.status == Head.Status.PARKED)
                : tables.deliveries.entrySet().stream()
                        .anyMatch(each -> each.getValue().lane == lane.lane()
                                && each.getKey().handler().equals(lane.handler())
                                && each.getValue().state != State.DONE);
        if (!anyLeft) {
            tables.lanes.remove(new LaneKey(lane.lane(), lane.handler()));
        }
        return !anyLeft;
    }

    @Override
    public List<UUID> start(Lease lease, List<Head> suspects) {
        fence(lease);
        List<UUID> counted = new ArrayList<>();
        for (Head suspect : suspects) {
            Row row = tables.row(suspect);
            if (row != null && row.lockedBy == null && row.version == suspect.version()) {
                row.starts++;
                row.version++;
                counted.add(suspect.id());
            }
        }
        return counted;
    }

    private void fence(Lease lease) {
        if (!holds(lease)) {
            throw new LeaseLostException(lease);
        }
    }

    private boolean holds(Lease lease) {
        ShardOwner shard = tables.shards.get(lease.shard());
        return lease.owner().equals(shard.owner()) && lease.epoch() == shard.epoch();
    }

    private void assign(int shard, String owner) {
        tables.shards.set(
                shard, new ShardOwner(shard, owner, tables.shards.get(shard).epoch() + 1));
    }
}
