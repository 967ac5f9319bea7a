package io.outboxed.internal.operations;

import io.outboxed.admin.AggregateState;
import io.outboxed.admin.AggregateState.Blocker;
import io.outboxed.admin.AggregateState.Cause;
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

    private record Wait(String group, Long resumeAt) {}

    private record First(UUID id, String type, String handler, int attempts, String error) {}

    public AggregateState of(String aggregateType, String aggregateId) {
        long lane = LaneHash.lane(aggregateType, aggregateId);
        int shard = LaneHash.shard(lane);
        List<Pause> inForce = pauses.inForce();
        return connections.read(jdbc -> {
            long messages = number(jdbc, sql.rowsOfLane, lane) + number(jdbc, sql.splitRowsOfLane, lane);
            List<Blocker> blockers = new ArrayList<>();
            if (messages > 0
                    && inForce.stream().anyMatch(pause -> pause.target().equals(PauseTarget.everything()))) {
                blockers.add(new Blocker(null, Cause.PAUSE, first(jdbc, lane), null, 0, null, null));
            }
            for (Wait wait : jdbc.list(sql.waitsOfLane, AggregateView::wait, lane)) {
                blocker(jdbc, lane, wait, inForce).ifPresent(blockers::add);
            }
            String node = jdbc.first(sql.nodeOfShard, row -> row.getString("label"), shard)
                    .orElse(null);
            return new AggregateState(aggregateType, aggregateId, shard, node, messages, blockers);
        });
    }

    private static Wait wait(ResultSet row) throws SQLException {
        String group = row.getString("handler_group");
        long at = row.getLong("resume_at");
        return new Wait(group, row.wasNull() ? null : at);
    }

    private Optional<Blocker> blocker(Jdbc jdbc, long lane, Wait wait, List<Pause> inForce) throws SQLException {
        if (wait.group().equals(LaneWait.WHOLE)) {
            return Optional.of(new Blocker(null, Cause.DELAY, first(jdbc, lane), null, 0, time(wait.resumeAt()), null));
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
                wait.group());
        return found.map(first -> {
            Cause cause = cause(wait, first, inForce);
            boolean unknown = cause == Cause.NO_HANDLER;
            return new Blocker(
                    unknown ? null : wait.group(),
                    cause,
                    first.id(),
                    unknown ? null : first.handler(),
                    first.attempts(),
                    cause == Cause.RETRY ? time(wait.resumeAt()) : null,
                    first.error());
        });
    }

    private static Cause cause(Wait wait, First first, List<Pause> inForce) {
        if (wait.group().equals(LaneWait.UNKNOWN)) {
            return Cause.NO_HANDLER;
        }
        if (wait.resumeAt() == null) {
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
