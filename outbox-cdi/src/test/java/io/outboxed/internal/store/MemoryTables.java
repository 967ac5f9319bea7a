package io.outboxed.internal.store;

import io.outboxed.admin.Pause;
import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Lease;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The tables of {@link MemoryStore}; ordered collections only, so that a seed replays exactly. */
final class MemoryTables {
    static final String AGGREGATE_TYPE = "aggregate";

    static final int SHARDS = 64;

    final List<Pause> pauses = new ArrayList<>();
    /** Of lanes, by their keys; of nodes, by their owner ids. */
    final Map<Object, MemoryLockSession.Session> locks = new LinkedHashMap<>();
    /** Lane to owner. */
    final Map<Long, String> claims = new LinkedHashMap<>();

    record DeliveryKey(UUID message, String handler) {}

    record LaneKey(long lane, String group) {}

    record Dead(Row row, String group, int attempts, String error) {}

    static final class Row {
        final MessageHead first;
        final long createdAt;
        final long delayMicros;
        final String text;
        /** The replay of a dead letter: for this handler only. */
        String onlyHandler;

        MessageState status = MessageState.READY;
        int version;
        int starts;
        /** Numbers are assigned before the commit: the row is not visible yet. */
        boolean uncommitted;

        MemoryTransaction lockedBy;

        Row(MessageHead first, long createdAt, long delayMicros, String text) {
            this.first = first;
            this.createdAt = createdAt;
            this.delayMicros = delayMicros;
            this.text = text;
        }

        MessageBody body() {
            return new MessageBody(
                    first.seq(),
                    first.id(),
                    AGGREGATE_TYPE,
                    "of lane " + first.lane(),
                    Instant.EPOCH.plus(createdAt, ChronoUnit.MICROS),
                    Duration.of(delayMicros, ChronoUnit.MICROS),
                    null,
                    text,
                    null);
        }

        MessageHead headWithSmallBody(long now) {
            return head(now, first.size() <= MessageHead.BODY_READ_ALONG ? body() : null);
        }

        MessageHead head(long now) {
            return head(now, null);
        }

        boolean isDelayed(long now) {
            return now < createdAt + delayMicros;
        }

        private MessageHead head(long now, MessageBody body) {
            boolean delayed = status == MessageState.READY && isDelayed(now);
            return new MessageHead(
                    first.seq(),
                    first.id(),
                    first.shard(),
                    first.lane(),
                    first.type(),
                    body().aggregateType(),
                    status,
                    version,
                    first.registryVersion(),
                    first.size(),
                    starts,
                    delayed,
                    onlyHandler,
                    body);
        }
    }

    static final class DeliveryRow {
        final long seq;
        final long lane;
        /** Empty for done rows. */
        final String group;

        DeliveryState state;
        int attempts;
        String error;
        long dueAt;

        DeliveryRow(MessageHead head, String group, DeliveryState state, long dueAt) {
            this.seq = head.seq();
            this.lane = head.lane();
            this.group = group;
            this.state = state;
            this.dueAt = dueAt;
        }

        static DeliveryRow done(MessageHead head) {
            return new DeliveryRow(head, "", DeliveryState.DONE, 0);
        }

        boolean waitsIn(long ofLane, String ofGroup) {
            return state != DeliveryState.DONE && lane == ofLane && group.equals(ofGroup);
        }
    }

    static final class LaneRow {
        final int shard;
        /** Null: until an operator acts. */
        Long resumeAt;

        LaneRow(int shard, Long resumeAt) {
            this.shard = shard;
            this.resumeAt = resumeAt;
        }
    }

    static final class NodeRow {
        final String label;
        final long registryVersion;
        long beat;
        boolean live = true;
        boolean dead;

        NodeRow(String label, long registryVersion) {
            this.label = label;
            this.registryVersion = registryVersion;
        }
    }

    final MemoryMessages messages = new MemoryMessages();
    final MemoryDeliveries deliveries = new MemoryDeliveries();
    final Map<LaneKey, LaneRow> lanes = new LinkedHashMap<>();
    final Map<String, NodeRow> nodes = new LinkedHashMap<>();
    final List<Lease> shards = new ArrayList<>();
    final Map<String, TreeMap<String, String>> handlers = new TreeMap<>();
    final Map<DeliveryKey, Dead> dead = new LinkedHashMap<>();
    /** The registry's version that added each handler. */
    final Map<HandlerKey, Long> handlerVersions = new LinkedHashMap<>();

    long registryVersion;
    long lastSeq;

    MemoryTables(int count) {
        for (int shard = 0; shard < count; shard++) {
            shards.add(new Lease(shard, null, 0));
        }
    }

    /** As a database that refuses to wait for a lock. */
    static StoreException held(UUID message) {
        return new StoreException("message " + message, true, new SQLTransientException("held", "55P03"));
    }

    Row row(MessageHead head) {
        Row row = messages.get(head.seq());
        return row != null && row.first.id().equals(head.id()) ? row : null;
    }

    /** A replay has the id of its message, and a row of its own. */
    DeliveryRow delivery(MessageHead head, String handler) {
        DeliveryRow row = deliveries.get(new DeliveryKey(head.id(), handler));
        return row != null && row.seq == head.seq() ? row : null;
    }

    boolean dropDelivery(MessageHead head, String handler) {
        return delivery(head, handler) != null && deliveries.remove(new DeliveryKey(head.id(), handler));
    }

    boolean hasDeliveries(MessageHead head) {
        return !deliveries.of(head).isEmpty();
    }

    void dropDeliveries(MessageHead head) {
        deliveries.of(head).keySet().forEach(deliveries::remove);
    }

    /** The lane row follows from the delivery rows. @return whether it is gone */
    boolean refresh(long lane, int shard, String group) {
        LaneKey key = new LaneKey(lane, group);
        List<DeliveryRow> left =
                deliveries.waiting(lane, group).map(Map.Entry::getValue).toList();
        if (left.isEmpty()) {
            lanes.remove(key);
            return true;
        }
        long first = left.stream().mapToLong(row -> row.seq).min().orElseThrow();
        Long due = left.stream()
                .filter(row -> row.seq == first && row.state == DeliveryState.WAITING)
                .map(row -> row.dueAt)
                .min(Long::compare)
                .orElse(null);
        lanes.computeIfAbsent(key, absent -> new LaneRow(shard, due)).resumeAt = due;
        return false;
    }

    /** A message behind another one changes nothing: a lane that was postponed stays so. */
    void refreshUnlessBehind(MessageHead head, String group) {
        boolean isBehind = deliveries.waiting(head.lane(), group).anyMatch(each -> each.getValue().seq < head.seq());
        if (!isBehind || !lanes.containsKey(new LaneKey(head.lane(), group))) {
            refresh(head.lane(), head.shard(), group);
        }
    }

    /** READY and PARKED rows after this one, committed. */
    List<Row> following(MessageHead head, int limit) {
        return messages.inLane(head.lane(), head.seq()).stream()
                .filter(row -> row.status != MessageState.SPLIT && !row.uncommitted)
                .limit(limit)
                .toList();
    }

    /** For one handler only. */
    void insertAgain(Row old, String handler) {
        MessageHead first = old.first;
        long seq = ++lastSeq;
        MessageHead head = new MessageHead(
                seq,
                first.id(),
                first.shard(),
                first.lane(),
                first.type(),
                first.aggregateType(),
                MessageState.READY,
                0,
                first.registryVersion(),
                first.size(),
                0,
                false,
                handler,
                null);
        Row row = new Row(head, old.createdAt, 0, old.text);
        row.onlyHandler = handler;
        messages.put(row);
    }

    void delete(MessageHead head) {
        messages.remove(head.seq());
        dropDeliveries(head);
    }

    boolean isShared(Lease lease, ClaimStrategy claim) {
        Lease shard = shards.get(lease.shard());
        return claim.shardOwner().equals(shard.owner()) && lease.epoch() == shard.epoch();
    }

    /** Whether a node that has this lease, and claims of lanes in its shard, may work on them. */
    boolean isShared(Lease lease) {
        NodeRow node = nodes.get(lease.owner());
        return ClaimStrategy.ofNode(lease.owner())
                .filter(claim -> isShared(lease, claim) && node != null && node.live)
                .isPresent();
    }
}
