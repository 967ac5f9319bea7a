package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Changes that only the holder of a lease may make: each method is one transaction behind its fence. */
final class JdbcFencedWrites implements FencedWriter {
    private final Fence fence;
    private final Sql sql;
    private final LaneRows lanes;
    private final JdbcResolutions resolutions;
    private final Consumer<StoreException> dropped;

    JdbcFencedWrites(Fence fence, Sql sql, boolean keepHistory, Consumer<StoreException> dropped) {
        this.dropped = dropped;
        this.fence = fence;
        this.sql = sql;
        this.lanes = new LaneRows(sql);
        this.resolutions = new JdbcResolutions(sql, lanes, keepHistory);
    }

    @Override
    public void write(Lease lease, List<FencedWrite> writes) {
        try {
            write(lease, writes, true);
        } catch (StoreException e) {
            if (e.isTransient() || writes.size() > 1) {
                throw e;
            }
            // nothing optional may keep a decision from being stored: once more without error text and history
            write(lease, writes, false);
            dropped.accept(e);
        }
    }

    private void write(Lease lease, List<FencedWrite> writes, boolean withOptional) {
        fence.decide(lease, writes.stream().map(FencedWrite::inLane).toList(), jdbc -> {
            for (FencedWrite write : writes) {
                flush(jdbc, lease, write, withOptional);
            }
            return null;
        });
    }

    private void flush(Jdbc jdbc, Lease lease, FencedWrite write, boolean withOptional) throws SQLException {
        if (write instanceof FencedWrite.Resolve resolve) {
            resolutions.resolve(jdbc, resolve, withOptional);
        } else if (write instanceof FencedWrite.Park park) {
            park(jdbc, lease, park);
        } else if (write instanceof FencedWrite.Postpone postpone) {
            lanes.postpone(jdbc, postpone.lane(), postpone.delayMicros());
        } else if (write instanceof FencedWrite.Pause pause) {
            lanes.pause(jdbc, pause.lane());
        } else if (write instanceof FencedWrite.Count count) {
            count(jdbc, count);
        } else if (write instanceof FencedWrite.ChangeStarts change) {
            changeStarts(jdbc, change.head(), change.from(), change.to());
        } else if (write instanceof FencedWrite.TakeBackStart start) {
            takeBack(jdbc, start.head());
        } else if (write instanceof FencedWrite.Adopt adopt) {
            adopt(jdbc, adopt);
        }
    }

    private void park(Jdbc jdbc, Lease lease, FencedWrite.Park park) throws SQLException {
        // a row in a frozen transaction stays READY and is parked when it is read again
        List<Keys.Row> rows = Keys.of(park.rows()).lockFree(jdbc, sql).stream()
                .filter(row -> row.status() != MessageHead.Status.SPLIT)
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        keysOf(park.rows(), rows, MessageHead.Status.READY).update(jdbc, sql.parkRows);
        ToLongFunction<Keys.Row> due = Keys.Row::due;
        lanes.addIfAbsent(
                jdbc,
                new LaneWait(park.lane(), lease.shard(), LaneWait.PARKED),
                rows.stream().mapToLong(due).min().orElseThrow());
    }

    private static Keys keysOf(List<MessageHead> heads, List<Keys.Row> rows, MessageHead.Status status) {
        List<UUID> wanted = rows.stream()
                .filter(row -> row.status() == status)
                .map(Keys.Row::id)
                .toList();
        return Keys.of(heads.stream().filter(head -> wanted.contains(head.id())).toList());
    }

    private void count(Jdbc jdbc, FencedWrite.Count count) throws SQLException {
        MessageHead head = count.head();
        // if the row is locked, its handler will not be able to claim the message either
        if (jdbc.exists(sql.lockFreeDelivery, head.id(), count.handler(), head.seq())) {
            jdbc.update(sql.countAttempt, count.attempts(), head.id(), count.handler(), head.seq());
        }
    }

    private void changeStarts(Jdbc jdbc, MessageHead head, int from, int to) throws SQLException {
        // one start too many or too few matters less than a send, or a stop, that waits for a row
        if (jdbc.exists(sql.lockFreeMessage, head.seq(), head.id())) {
            jdbc.update(sql.changeStarts, to, head.seq(), head.id(), from);
        }
    }

    private void takeBack(Jdbc jdbc, MessageHead head) throws SQLException {
        if (MessageRow.lock(jdbc, sql, head).isPresent()) {
            jdbc.update(sql.changeStarts, head.starts(), head.seq(), head.id(), head.starts() + 1);
        }
    }

    private void adopt(Jdbc jdbc, FencedWrite.Adopt adopt) throws SQLException {
        MessageHead head = adopt.head();
        Map<String, String> handlers = new TreeMap<>(adopt.handlers());
        Optional<MessageRow> message = handlers.isEmpty() ? Optional.empty() : MessageRow.lock(jdbc, sql, head);
        if (message.isEmpty() || jdbc.update(sql.deleteDelivery, head.id(), LaneWait.UNKNOWN, head.seq()) == 0) {
            return;
        }
        for (Map.Entry<String, String> handler : handlers.entrySet()) {
            jdbc.update(
                    sql.addDelivery,
                    head.id(),
                    handler.getKey(),
                    handler.getValue(),
                    head.seq(),
                    head.lane(),
                    head.shard(),
                    DeliveryState.PENDING,
                    0,
                    0L,
                    null);
        }
        jdbc.update(sql.splitMessage, head.seq(), head.id());
        Set<String> groups = new HashSet<>(handlers.values());
        groups.add(LaneWait.UNKNOWN);
        lanes.refresh(jdbc, message.get(), head.seq(), groups);
    }

    @Override
    public boolean refresh(Lease lease, LaneWait lane) {
        return fence.decide(lease, List.of(lane.lane()), jdbc -> lanes.refresh(jdbc, lane));
    }

    @Override
    public void wake(Lease lease) {
        fence.decide(lease, List.of(), jdbc -> jdbc.update(sql.wakeLanes, lease.shard(), LaneWait.AFTER_RESUME));
    }

    @Override
    public List<UUID> start(Lease lease, List<MessageHead> suspects, Set<UUID> running, Set<Long> firstOfLanes) {
        List<Long> all = suspects.stream().map(MessageHead::lane).toList();
        return fence.decide(lease, all, jdbc -> new JdbcStarts(jdbc, sql).count(suspects, running, firstOfLanes));
    }
}
