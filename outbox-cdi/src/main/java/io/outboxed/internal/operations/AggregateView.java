package io.outboxed.internal.operations;

import io.outboxed.admin.AggregateState;
import io.outboxed.admin.AggregateState.Cause;
import io.outboxed.admin.AggregateState.Wait;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.LaneWait;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

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

    private record Place(long lane, String group) {}

    private record StoredWait(String group, Long resumeAt) {}

    private record First(UUID id, String type, String handler, int attempts, String error) {}

    public AggregateState of(String aggregateType, String aggregateId) {
        long lane = LaneHash.lane(aggregateType, aggregateId);
        int shard = LaneHash.shard(lane);
        List<Pause> inForce = pauses.inForce();
        return connections.read(jdbc -> {
            long messages = Math.min(
                    OperationsSql.MAX_COUNTED,
                    number(jdbc, sql.rowsOfLane, lane) + number(jdbc, sql.splitRowsOfLane, lane));
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
        return connections.read(jdbc -> {
            Optional<Place> place = jdbc.first(
                    sql.placeOf,
                    row -> new Place(row.getLong("lane"), row.getString("handler_group")),
                    messageId,
                    handler);
            return place.isEmpty() ? Optional.empty() : heldUpBy(jdbc, messageId, place.get(), inForce);
        });
    }

    private Optional<Wait> heldUpBy(Jdbc jdbc, UUID messageId, Place place, List<Pause> inForce) throws SQLException {
        for (StoredWait stored : jdbc.list(sql.waitsOfLane, AggregateView::stored, place.lane())) {
            if (stored.group().equals(place.group())) {
                return waitFor(jdbc, place.lane(), stored, inForce)
                        .filter(wait -> !wait.messageId().equals(messageId) || wait.cause() != Cause.RETRY);
            }
        }
        return Optional.empty();
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
        Optional<First> found = jdbc.first(
                sql.firstOfGroup,
                row -> new First(
                        jdbc.uuid(row, "message_id"),
                        row.getString("type"),
                        row.getString("handler"),
                        row.getInt("attempts"),
                        row.getString("last_error")),
                lane,
                stored.group());
        return found.map(first -> {
            Cause cause = cause(stored, first, inForce);
            boolean unknown = cause == Cause.NO_HANDLER;
            return new Wait(
                    unknown ? null : stored.group(),
                    cause,
                    first.id(),
                    unknown ? null : first.handler(),
                    first.attempts(),
                    cause == Cause.RETRY ? time(stored.resumeAt()) : null,
                    first.error());
        });
    }

    private static Cause cause(StoredWait stored, First first, List<Pause> inForce) {
        if (stored.group().equals(LaneWait.UNKNOWN)) {
            return Cause.NO_HANDLER;
        }
        if (stored.resumeAt() == null) {
            return Cause.DEAD_LETTER;
        }
        boolean paused = inForce.stream().anyMatch(pause -> pause.target().covers(first.type(), first.handler()));
        return paused ? Cause.PAUSE : Cause.RETRY;
    }

    private UUID first(Jdbc jdbc, long lane) throws SQLException {
        return jdbc.first(sql.firstOfLane, row -> jdbc.uuid(row, "id"), lane).orElse(null);
    }

    private static Instant time(Long micros) {
        return micros == null || micros == LaneWait.AFTER_RESUME ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static long number(Jdbc jdbc, String text, long lane) throws SQLException {
        return jdbc.first(text, row -> row.getLong("found"), lane).orElse(0L);
    }
}
