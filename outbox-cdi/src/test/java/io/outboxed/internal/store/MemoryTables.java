package io.outboxed.internal.store;

import java.sql.SQLTransientException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** The tables of {@link MemoryStore}; ordered collections only, so that a seed replays exactly. */
final class MemoryTables {
    static final int SHARDS = 64;

    enum State {
        PENDING,
        DONE,
        BLOCKED
    }

    record DeliveryKey(UUID message, String handler) {}

    record LaneKey(long lane, String handler) {}

    record Dead(Head head, String handler, int attempts, String error, String text) {}

    static final class Row {
        final Head first;
        final long createdAt;
        final long delayMicros;
        final String text;
        Head.Status status = Head.Status.READY;
        int version;
        int starts;
        /** Numbers are given out before the commit: the row is not visible yet. */
        boolean uncommitted;

        MemoryTransaction lockedBy;

        Row(Head first, long createdAt, long delayMicros, String text) {
            this.first = first;
            this.createdAt = createdAt;
            this.delayMicros = delayMicros;
            this.text = text;
        }

        Body body() {
            return new Body(
                    first.seq(),
                    first.id(),
                    "",
                    "",
                    Instant.EPOCH.plus(createdAt, ChronoUnit.MICROS),
                    Duration.of(delayMicros, ChronoUnit.MICROS),
                    null,
                    text,
                    null);
        }

        Head headWithSmallBody(long now) {
            return head(now, first.size() <= Head.BODY_READ_ALONG ? body() : null);
        }

        Head head(long now) {
            return head(now, null);
        }

        private Head head(long now, Body body) {
            boolean delayed = status == Head.Status.READY && now < createdAt + delayMicros;
            return new Head(
                    first.seq(),
                    first.id(),
                    first.shard(),
                    first.lane(),
                    first.type(),
                    status,
                    version,
                    first.registry(),
                    first.size(),
                    starts,
                    delayed,
                    body);
        }
    }

    static final class DeliveryRow {
        final long seq;
        final long lane;
        State state;
        int attempts;
        String error;

        DeliveryRow(long seq, long lane, State state) {
            this.seq = seq;
            this.lane = lane;
            this.state = state;
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
        final long generation;
        long beat;
        boolean live = true;

        NodeRow(String label, long generation) {
            this.label = label;
            this.generation = generation;
        }
    }

    final TreeMap<Long, Row> messages = new TreeMap<>();
    final Map<DeliveryKey, DeliveryRow> deliveries = new LinkedHashMap<>();
    final Map<LaneKey, LaneRow> lanes = new LinkedHashMap<>();
    final Map<String, NodeRow> nodes = new LinkedHashMap<>();
    final List<ShardOwner> shards = new ArrayList<>();
    final Map<String, TreeSet<String>> handlers = new TreeMap<>();
    final Map<DeliveryKey, Dead> dead = new LinkedHashMap<>();
    long registryVersion;
    long lastSeq;

    MemoryTables(int count) {
        for (int shard = 0; shard < count; shard++) {
            shards.add(new ShardOwner(shard, null, 0));
        }
    }

    /** As a database that refuses to wait for a lock. */
    static StoreException held(UUID message) {
        return new StoreException("message " + message, true, new SQLTransientException("held", "55P03"));
    }

    Row row(Head head) {
        Row row = messages.get(head.seq());
        return row != null && row.first.id().equals(head.id()) ? row : null;
    }

    boolean hasDeliveries(UUID message) {
        return deliveries.keySet().stream().anyMatch(key -> key.message().equals(message));
    }

    void dropDeliveries(UUID message) {
        deliveries.keySet().removeIf(key -> key.message().equals(message));
    }

    void delete(Head head) {
        messages.remove(head.seq());
        dropDeliveries(head.id());
    }
}
