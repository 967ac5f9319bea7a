package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.jdbc.DeliveryRows.Delivery;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Ends the turns of messages of different lanes: what follows for each handler's delivery, and for the rows. */
final class JdbcResolutions {
    private final Sql sql;
    private final LaneRows lanes;
    private final boolean keepHistory;

    JdbcResolutions(Sql sql, LaneRows lanes, boolean keepHistory) {
        this.sql = sql;
        this.lanes = lanes;
        this.keepHistory = keepHistory;
    }

    /** Each statement is about all of them, because each is a round trip that the relay's loop waits for. */
    void resolve(Jdbc jdbc, List<FencedWrite.Resolve> resolves, boolean withOptional) throws SQLException {
        List<MessageHead> heads =
                resolves.stream().map(FencedWrite.Resolve::head).toList();
        // the message rows first: every transaction that changes their deliveries holds them
        Map<MessageKey, LockedMessage> locked =
                MessageRow.lock(jdbc, sql, heads.stream().map(MessageHead::key).toList());
        Map<MessageKey, Map<String, Delivery>> deliveries = deliveries(
                jdbc,
                heads.stream()
                        .filter(head -> !isUntouched(locked.get(head.key())))
                        .toList());
        ResolvedRows rows = new ResolvedRows(sql, keepHistory, withOptional);
        Map<LaneWait, Long> changed = new HashMap<>();
        for (FencedWrite.Resolve resolve : resolves) {
            MessageHead head = resolve.head();
            LockedMessage row = locked.get(head.key());
            Map<String, Delivery> before = deliveries.getOrDefault(head.key(), Map.of());
            groups(resolve, isUntouched(row), before)
                    .forEach(group -> changed.put(new LaneWait(head.lane(), head.shard(), group), head.seq()));
            if (row == null) {
                rows.addGone(head);
            } else if (!resolve.isStored(row.status(), row.version())) {
                resolve.requireNothingLost(row.status(), row.version());
                rows.add(resolve, row.status(), before);
            }
        }
        rows.flush(jdbc);
        lanes.refreshUnlessBehind(jdbc, changed);
    }

    /** It has no deliveries, and no lane row is about it. */
    private static boolean isUntouched(LockedMessage row) {
        return row != null && row.isUntouched();
    }

    /** By handler. */
    private Map<MessageKey, Map<String, Delivery>> deliveries(Jdbc jdbc, List<MessageHead> heads) throws SQLException {
        return DeliveryRows.of(jdbc, sql, heads.stream().map(MessageHead::id).toList()).stream()
                .collect(Collectors.groupingBy(
                        Delivery::message, Collectors.toMap(Delivery::handler, Function.identity())));
    }

    /** Whose lane rows may have to change. */
    private static Set<String> groups(FencedWrite.Resolve resolve, boolean untouched, Map<String, Delivery> before) {
        Set<String> groups = new HashSet<>();
        for (Resolution resolution : resolve.resolutions()) {
            if (!untouched || !(resolution instanceof Resolution.Dead)) {
                groups.add(resolution.group());
            }
            Delivery delivery = before.get(resolution.handler());
            if (delivery != null && delivery.isOpen()) {
                groups.add(delivery.group());
            }
        }
        return groups;
    }
}
