package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.jdbc.locks.Fence;
import io.outboxed.internal.store.sql.Sql;
import io.outboxed.internal.store.sql.StateCodes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Changes that only the holder of a lease may make: each method is one transaction behind its fence. */
final class JdbcFencedWriter implements FencedWriter {
    private final Fence fence;
    private final Sql sql;
    private final LaneRows lanes;
    private final JdbcResolutions resolutions;
    private final Consumer<StoreException> dropped;

    JdbcFencedWriter(Fence fence, Sql sql, boolean keepHistory, Consumer<StoreException> dropped) {
        this.dropped = dropped;
        this.fence = fence;
        this.sql = sql;
        this.lanes = new LaneRows(sql);
        this.resolutions = new JdbcResolutions(sql, lanes, keepHistory);
    }

    @Override
    public void write(Map<Lease, List<FencedWrite>> writes) {
        try {
            write(writes, true);
        } catch (StoreException e) {
            if (e.isTransient() || writes.values().stream().mapToInt(List::size).sum() > 1) {
                throw e;
            }
            // nothing optional may keep a decision from being stored: once more without error text and history
            write(writes, false);
            dropped.accept(e);
        }
    }

    private void write(Map<Lease, List<FencedWrite>> writes, boolean withOptional) {
        Map<Lease, List<Long>> lanes = new LinkedHashMap<>();
        writes.forEach((lease, some) ->
                lanes.put(lease, some.stream().map(FencedWrite::inLane).toList()));
        fence.decide(lanes, jdbc -> {
            for (List<FencedWrite> round : rounds(writes.values())) {
                flush(jdbc, round, withOptional);
            }
            return null;
        });
    }

    /** The first decision about each lane, then the second: within a round, none depends on another one. */
    private static List<List<FencedWrite>> rounds(Collection<List<FencedWrite>> writes) {
        Map<Long, Integer> seen = new HashMap<>();
        List<List<FencedWrite>> rounds = new ArrayList<>();
        for (List<FencedWrite> some : writes) {
            for (FencedWrite write : some) {
                int round = seen.merge(write.inLane(), 1, Integer::sum);
                if (rounds.size() < round) {
                    rounds.add(new ArrayList<>());
                }
                rounds.get(round - 1).add(write);
            }
        }
        return rounds;
    }

    private void flush(Jdbc jdbc, List<FencedWrite> round, boolean withOptional) throws SQLException {
        List<FencedWrite.Resolve> resolves = of(FencedWrite.Resolve.class, round);
        if (!resolves.isEmpty()) {
            resolutions.resolve(jdbc, resolves, withOptional);
        }
        park(jdbc, of(FencedWrite.Park.class, round));
        count(jdbc, of(FencedWrite.CountAttempt.class, round));
        for (FencedWrite write : round) {
            flush(jdbc, write);
        }
    }

    private static <T> List<T> of(Class<T> kind, List<FencedWrite> writes) {
        return writes.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void flush(Jdbc jdbc, FencedWrite write) throws SQLException {
        if (write instanceof FencedWrite.PostponeLane postpone) {
            lanes.postpone(jdbc, postpone.lane(), postpone.delayMicros());
        } else if (write instanceof FencedWrite.PauseLane pause) {
            lanes.pause(jdbc, pause.lane());
        } else if (write instanceof FencedWrite.UpdateStarts update) {
            updateStarts(jdbc, update.head(), update.from(), update.to());
        } else if (write instanceof FencedWrite.RevertStart start) {
            revertStart(jdbc, start.head());
        } else if (write instanceof FencedWrite.Adopt adopt) {
            adopt(jdbc, adopt);
        }
    }

    private void park(Jdbc jdbc, List<FencedWrite.Park> parks) throws SQLException {
        Map<MessageKey, LaneWait> laneOf = new HashMap<>();
        for (FencedWrite.Park park : parks) {
            park.rows()
                    .forEach(head -> laneOf.put(head.key(), new LaneWait(park.lane(), head.shard(), LaneWait.PARKED)));
        }
        // a row in a frozen transaction stays READY and is parked when it is read again
        List<LockedMessage> rows = MessageKeys.named(laneOf.keySet()).lockFree(jdbc, sql).stream()
                .filter(row -> row.status() != MessageState.SPLIT)
                .toList();
        MessageKeys.named(rows.stream()
                        .filter(row -> row.status() == MessageState.READY)
                        .map(LockedMessage::key)
                        .toList())
                .update(jdbc, sql.messages.parkRows);
        Map<LaneWait, Long> due = new HashMap<>();
        rows.forEach(row -> due.merge(laneOf.get(row.key()), row.due(), Math::min));
        lanes.addIfAbsent(jdbc, due);
    }

    /** The call follows: a worker would wait for a message whose row a frozen node holds, perhaps for hours. */
    private void count(Jdbc jdbc, List<FencedWrite.CountAttempt> counts) throws SQLException {
        MessageRow.lock(
                jdbc, sql, counts.stream().map(count -> count.head().key()).toList());
        jdbc.batch(
                sql.deliveries.countAttempt,
                counts.stream()
                        .map(count -> new Object[] {
                            count.attempts(),
                            count.head().id(),
                            count.handler(),
                            count.head().seq()
                        })
                        .toList());
    }

    private void updateStarts(Jdbc jdbc, MessageHead head, int from, int to) throws SQLException {
        // one start too many or too few matters less than a send, or a stop, that waits for a row
        if (jdbc.exists(sql.messages.lockFreeMessage, head.seq(), head.id())) {
            jdbc.update(sql.messages.updateStarts, to, head.seq(), head.id(), from);
        }
    }

    private void revertStart(Jdbc jdbc, MessageHead head) throws SQLException {
        if (MessageRow.lock(jdbc, sql, head).isPresent()) {
            jdbc.update(sql.messages.updateStarts, head.starts(), head.seq(), head.id(), head.starts() + 1);
        }
    }

    private void adopt(Jdbc jdbc, FencedWrite.Adopt adopt) throws SQLException {
        MessageHead head = adopt.head();
        if (MessageRow.lock(jdbc, sql, head).isEmpty()
                || jdbc.update(sql.deliveries.deleteDelivery, head.id(), LaneWait.NO_HANDLER, head.seq()) == 0) {
            return;
        }
        for (Map.Entry<String, String> handler : adopt.handlers().entrySet()) {
            jdbc.update(
                    sql.deliveries.addDelivery,
                    head.id(),
                    handler.getKey(),
                    handler.getValue(),
                    head.seq(),
                    head.lane(),
                    head.shard(),
                    StateCodes.code(DeliveryState.WAITING),
                    0,
                    0L,
                    null);
        }
        jdbc.update(sql.messages.splitMessage, head.seq(), head.id());
        Map<LaneWait, Long> changed = new HashMap<>();
        Stream.concat(Stream.of(LaneWait.NO_HANDLER), adopt.handlers().values().stream())
                .forEach(group -> changed.put(new LaneWait(head.lane(), head.shard(), group), head.seq()));
        lanes.refreshUnlessBehind(jdbc, changed);
    }

    @Override
    public boolean refresh(Lease lease, LaneWait lane) {
        return fence.decide(Map.of(lease, List.of(lane.lane())), jdbc -> lanes.refresh(jdbc, lane));
    }

    @Override
    public void wake(Lease lease) {
        fence.decide(
                Map.of(lease, List.of()),
                jdbc -> jdbc.update(sql.lanes.wakeLanes, lease.shard(), LaneWait.AFTER_RESUME));
    }

    @Override
    public List<UUID> start(Lease lease, List<MessageHead> suspects, Set<UUID> running, Set<Long> firstOfLanes) {
        List<Long> all = suspects.stream().map(MessageHead::lane).toList();
        return fence.decide(
                Map.of(lease, all), jdbc -> new JdbcStarts(jdbc, sql).count(suspects, running, firstOfLanes));
    }
}
