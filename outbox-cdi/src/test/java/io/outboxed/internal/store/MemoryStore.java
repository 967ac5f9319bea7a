package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.Dead;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import io.outboxed.internal.store.MemoryTables.NodeRow;
import io.outboxed.internal.store.MemoryTables.Row;
import io.outboxed.internal.store.MemoryTables.State;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.NodeBeat;
import io.outboxed.internal.store.cluster.ShardOwner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The tables in memory, under the same contract as the databases, with a clock that the test moves: for the deterministic
 * simulation, on one thread. Where a database would let the caller wait for a lock, it fails as after a lock timeout.
 */
public final class MemoryStore implements Ports {
    private final MemoryTables tables;
    private final LongSupplier micros;
    private final MemoryReading reading;
    private final MemoryFencedWrites writes;

    public MemoryStore(LongSupplier micros) {
        this(micros, MemoryTables.SHARDS);
    }

    /** @param shards a power of two; with few of them windows are full sooner, and there is less to step over */
    public MemoryStore(LongSupplier micros, int shards) {
        this.tables = new MemoryTables(shards);
        this.micros = micros;
        this.reading = new MemoryReading(tables, micros);
        this.writes = new MemoryFencedWrites(tables, micros);
    }

    /** From now on. */
    public void hear(StoredResolutions heard) {
        writes.heard = heard;
    }

    /** As an operator's replay of a dead letter. @return false if there is none */
    public boolean replay(UUID message, String handler) {
        return writes.replay(message, handler);
    }

    public MemoryTransaction begin() {
        return new MemoryTransaction(tables);
    }

    /** The row of a business transaction that has not committed: it has its number, nobody sees it. */
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

    public record DeadLetterId(UUID message, String handler) {}

    public List<DeadLetterId> dead() {
        return tables.dead.keySet().stream()
                .map(key -> new DeadLetterId(key.message(), key.handler()))
                .toList();
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
                MessageHead.Status.READY,
                0,
                registryVersion,
                text.length(),
                0,
                false,
                null,
                null);
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

    public List<UUID> deadMessages() {
        return tables.dead.keySet().stream().map(DeliveryKey::message).toList();
    }

    public int starts(MessageHead head) {
        return tables.row(head).starts;
    }

    public void setStarts(MessageHead head, int starts) {
        tables.row(head).starts = starts;
    }

    /** As an operator does with a handler that is gone. */
    public void retire(String type, String handler) {
        tables.handlers.get(type).remove(handler);
        tables.registryVersion++;
    }

    public boolean isDead(String handler, UUID message) {
        return tables.dead.containsKey(new DeliveryKey(message, handler));
    }

    @Override
    public void join(String owner, String label, long registryVersion) {
        tables.nodes.put(owner, new NodeRow(label, registryVersion));
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
    public List<NodeBeat> live() {
        List<NodeBeat> live = new ArrayList<>();
        tables.nodes.forEach((owner, node) -> {
            if (node.live) {
                live.add(new NodeBeat(owner, node.label, node.registryVersion, node.beat));
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
    public List<ShardOwner> all() {
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
    public long register(Collection<HandlerRegistration> handlers) {
        boolean grew = false;
        for (HandlerRegistration each : handlers) {
            String before = tables.handlers
                    .computeIfAbsent(each.type(), type -> new TreeMap<>())
                    .put(each.handler(), each.group());
            grew |= !each.group().equals(before);
        }
        if (grew) {
            tables.registryVersion++;
        }
        return tables.registryVersion;
    }

    @Override
    public RegistrySnapshot snapshot() {
        Map<String, SortedMap<String, String>> copy = new TreeMap<>();
        tables.handlers.forEach((type, groups) -> copy.put(type, new TreeMap<>(groups)));
        return new RegistrySnapshot(tables.registryVersion, copy);
    }

    @Override
    public List<MessageHead> ready(Collection<ReadWindow> windows) {
        return reading.ready(windows);
    }

    @Override
    public List<MessageHead> lanes(Collection<Long> lanes, int limit) {
        return lanes.stream()
                .flatMap(lane -> reading.lane(lane, limit).stream())
                .sorted(Comparator.comparingLong(MessageHead::seq))
                .toList();
    }

    @Override
    public List<PendingDelivery> waiting(long lane, String group, int limit) {
        return reading.waiting(lane, group, limit);
    }

    @Override
    public List<MessageHead> unadopted(long lane, long above, int limit) {
        return reading.unadopted(lane, above, limit);
    }

    @Override
    public List<LaneWait> due(Collection<Integer> shards, int limit) {
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
    public List<MessageBody> bodies(Collection<Long> seqs) {
        return reading.bodies(seqs);
    }

    @Override
    public long highest() {
        return reading.highest();
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
    public void acknowledge(List<Ack> batch) {
        Set<MessageHead> held = new LinkedHashSet<>();
        for (Ack each : batch) {
            Row row = tables.row(each.head());
            if (row != null && row.lockedBy != null) {
                held.add(each.head());
            }
        }
        Map<Row, Integer> versions = new HashMap<>();
        for (Ack each : batch) {
            Row row = tables.row(each.head());
            if (row != null && held.stream().noneMatch(head -> isBehind(each.head(), head))) {
                versions.putIfAbsent(row, row.version);
                acknowledge(row, versions.get(row), each);
            }
        }
        if (!held.isEmpty()) {
            throw MemoryTables.held(held.iterator().next().id());
        }
    }

    private static boolean isBehind(MessageHead head, MessageHead held) {
        return head.lane() == held.lane() && head.seq() >= held.seq();
    }

    /** The row's present status decides: a late fact neither revives a message nor leaves rows behind. */
    private void acknowledge(Row row, int version, Ack each) {
        MessageHead head = each.head();
        if (row.status == MessageHead.Status.SPLIT) {
            if (each.how() != AckMode.WAITING && each.how() != AckMode.LAST_WAITING) {
                return;
            }
            DeliveryRow delivery = tables.delivery(head, each.handler());
            if (delivery == null || delivery.state != State.PENDING) {
                return;
            }
            row.version++;
            tables.dropDelivery(head, each.handler());
            if (!tables.hasDeliveries(head)) {
                tables.delete(head);
            }
        } else if (version == head.version()) {
            row.version++;
            if (each.how() == AckMode.LAST) {
                tables.delete(head);
            } else {
                tables.deliveries.put(new DeliveryKey(head.id(), each.handler()), DeliveryRow.done(head));
            }
        }
    }

    @Override
    public void write(Lease lease, List<FencedWrite> list) {
        fence(lease);
        writes.flush(list);
    }

    @Override
    public boolean refresh(Lease lease, LaneWait lane) {
        fence(lease);
        if (!lane.group().equals(LaneWait.WHOLE)) {
            return tables.refresh(lane.lane(), lane.shard(), lane.group());
        }
        boolean anyParked = tables.messages.values().stream()
                .anyMatch(row -> row.first.lane() == lane.lane() && row.status == MessageHead.Status.PARKED);
        if (!anyParked) {
            tables.lanes.remove(new LaneKey(lane.lane(), LaneWait.WHOLE));
        }
        return !anyParked;
    }

    @Override
    public List<UUID> start(Lease lease, List<MessageHead> suspects, Set<Long> firstOfLanes) {
        fence(lease);
        return writes.start(suspects, firstOfLanes);
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
