package io.outboxed.internal.operations;

import io.outboxed.admin.AggregateState;
import io.outboxed.admin.AggregateState.Cause;
import io.outboxed.admin.AggregateState.Wait;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.LaneWait;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Finds out what holds up an aggregate. */
public final class AggregateView {
    private final Connections connections;
    private final OperationsSql sql;
    private final PauseSwitch pauses;

    AggregateView(Connections connections, OperationsSql sql, PauseSwitch pauses) {
        this.connections = connections;
        this.sql = sql;
        this.pauses = pauses;
    }

    private record StoredWait(String group, Long resumeAt) {
        boolean isStoppedByPause() {
            return resumeAt != null && resumeAt == LaneWait.AFTER_RESUME;
        }
    }

    private record Delivery(
            long lane,
            String group,
            long seq,
            UUID id,
            String type,
            String handler,
            int attempts,
            String error,
            boolean isDue) {
        static Delivery of(Jdbc jdbc, ResultSet row) throws SQLException {
            return new Delivery(
                    row.getLong("lane"),
                    row.getString("handler_group"),
                    row.getLong("seq"),
                    jdbc.uuid(row, "message_id"),
                    row.getString("type"),
                    row.getString("handler"),
                    row.getInt("attempts"),
                    row.getString("last_error"),
                    row.getInt("due_now") == 1);
        }

        boolean isOfSameMessage(Delivery other) {
            return seq == other.seq && id.equals(other.id);
        }

        boolean isCoveredBy(List<Pause> pauses) {
            return pauses.stream().anyMatch(pause -> pause.target().covers(type, handler));
        }
    }

    public AggregateState of(String aggregateType, String aggregateId) {
        long lane = LaneHash.lane(aggregateType, aggregateId);
        int shard = LaneHash.shard(lane);
        List<Pause> inForce = pauses.inForce();
        return connections.autoCommit(jdbc -> {
            long messages = Math.min(
                    OperationsSql.MAX_COUNTED,
                    jdbc.number(sql.rowsOfLane, lane, OperationsSql.MAX_COUNTED).orElse(0)
                            + jdbc.number(sql.splitRowsOfLane, lane).orElse(0));
            List<Wait> waits = new ArrayList<>();
            if (messages > 0
                    && inForce.stream().anyMatch(pause -> pause.target().equals(PauseTarget.everything()))) {
                waits.add(new Wait(null, Cause.PAUSE, first(jdbc, lane), null, 0, null, null));
            }
            for (StoredWait stored : jdbc.list(sql.waitsOfLane, AggregateView::stored, lane)) {
                waitFor(jdbc, lane, stored, inForce).ifPresent(waits::add);
            }
            return new AggregateState(aggregateType, aggregateId, shard, node(jdbc, shard), messages, waits);
        });
    }

    /** What keeps a delivery from running even if it is due. */
    public Optional<Wait> heldUpBy(UUID messageId, String handler) {
        List<Pause> inForce = pauses.inForce();
        return connections.autoCommit(jdbc -> {
            Optional<Delivery> asked =
                    jdbc.first(sql.waitingDelivery, row -> Delivery.of(jdbc, row), messageId, handler);
            return asked.isEmpty() ? Optional.empty() : heldUpBy(jdbc, asked.get(), inForce);
        });
    }

    private Optional<Wait> heldUpBy(Jdbc jdbc, Delivery asked, List<Pause> inForce) throws SQLException {
        for (StoredWait stored : jdbc.list(sql.waitsOfLane, AggregateView::stored, asked.lane())) {
            if (stored.group().equals(asked.group())) {
                List<Delivery> first = firstMessage(jdbc, asked.lane(), asked.group());
                return first.stream().anyMatch(asked::isOfSameMessage)
                        ? heldUpInFirstMessage(stored, asked, first, inForce)
                        : decisive(stored, first, inForce).map(delivery -> wait(stored, delivery, inForce));
            }
        }
        return Optional.empty();
    }

    /** The relay takes what is due in any order, and the lane stops with the first one that is paused. */
    private static Optional<Wait> heldUpInFirstMessage(
            StoredWait stored, Delivery asked, List<Delivery> first, List<Pause> inForce) {
        return Stream.concat(Stream.of(asked), first.stream().filter(Delivery::isDue))
                .map(delivery -> wait(stored, delivery, inForce))
                .filter(wait -> wait.cause() != Cause.RETRY)
                .findFirst();
    }

    private String node(Jdbc jdbc, int shard) throws SQLException {
        List<String> owners = jdbc.list(sql.ownerOfShard, row -> row.getString("owner"), shard);
        List<String> labels = LiveNode.all(jdbc, sql).stream()
                .filter(node -> owners.contains(node.holder()))
                .map(LiveNode::label)
                .toList();
        return labels.isEmpty() ? null : String.join(", ", labels);
    }

    private static StoredWait stored(ResultSet row) throws SQLException {
        String group = row.getString("handler_group");
        long at = row.getLong("resume_at");
        return new StoredWait(group, row.wasNull() ? null : at);
    }

    private Optional<Wait> waitFor(Jdbc jdbc, long lane, StoredWait stored, List<Pause> inForce) throws SQLException {
        if (stored.group().equals(LaneWait.PARKED)) {
            return Optional.of(new Wait(null, Cause.DELAY, first(jdbc, lane), null, 0, time(stored.resumeAt()), null));
        }
        return decisive(stored, firstMessage(jdbc, lane, stored.group()), inForce)
                .map(delivery -> wait(stored, delivery, inForce));
    }

    private List<Delivery> firstMessage(Jdbc jdbc, long lane, String group) throws SQLException {
        return jdbc.list(sql.firstOfGroup, row -> Delivery.of(jdbc, row), lane, group, lane, group);
    }

    /** What decides when the lane goes on: the delivery whose pause has stopped it, or the one that is due first. */
    private static Optional<Delivery> decisive(StoredWait stored, List<Delivery> first, List<Pause> inForce) {
        return first.stream()
                .filter(delivery -> stored.isStoppedByPause() && delivery.isCoveredBy(inForce))
                .findFirst()
                .or(() -> first.stream().findFirst());
    }

    private static Wait wait(StoredWait stored, Delivery delivery, List<Pause> inForce) {
        Cause cause = cause(stored, delivery, inForce);
        boolean unknown = cause == Cause.NO_HANDLER;
        return new Wait(
                unknown ? null : stored.group(),
                cause,
                delivery.id(),
                unknown ? null : delivery.handler(),
                delivery.attempts(),
                cause == Cause.RETRY ? time(stored.resumeAt()) : null,
                delivery.error());
    }

    private static Cause cause(StoredWait stored, Delivery delivery, List<Pause> inForce) {
        if (stored.group().equals(LaneWait.NO_HANDLER)) {
            return Cause.NO_HANDLER;
        }
        if (stored.resumeAt() == null) {
            return Cause.DEAD_LETTER;
        }
        return delivery.isCoveredBy(inForce) ? Cause.PAUSE : Cause.RETRY;
    }

    private UUID first(Jdbc jdbc, long lane) throws SQLException {
        return jdbc.first(sql.firstOfLane, row -> jdbc.uuid(row, "id"), lane).orElse(null);
    }

    private static Instant time(Long micros) {
        return micros == null || micros == LaneWait.AFTER_RESUME ? null : EpochMicros.toInstant(micros);
    }
}
