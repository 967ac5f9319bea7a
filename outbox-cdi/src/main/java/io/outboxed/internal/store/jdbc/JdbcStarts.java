package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Counts a start of suspects and raises the versions of the rows behind them, for each lane completely or not at all:
 * otherwise a late success of a node that has lost the shard could complete a later message while an earlier one is
 * repeated.
 */
final class JdbcStarts {
    private static final int AT_ONCE = 64;

    private final Jdbc jdbc;
    private final Sql sql;

    JdbcStarts(Jdbc jdbc, Sql sql) {
        this.jdbc = jdbc;
        this.sql = sql;
    }

    private record Follower(long lane, MessageKey key) {}

    /** @return the suspects that were not skipped */
    List<UUID> count(List<MessageHead> suspects, Set<UUID> running, Set<Long> firstOfLanes) throws SQLException {
        Map<Long, TreeMap<Long, MessageKey>> lanes = new HashMap<>();
        for (MessageHead suspect : suspects) {
            lanes.computeIfAbsent(suspect.lane(), lane -> new TreeMap<>()).put(suspect.seq(), suspect.key());
        }
        List<MessageHead> first = suspects.stream()
                .filter(suspect -> firstOfLanes.contains(suspect.lane()))
                .toList();
        for (Follower follower : followers(first)) {
            lanes.get(follower.lane()).putIfAbsent(follower.key().seq(), follower.key());
        }
        Map<MessageKey, LockedMessage> free = new HashMap<>();
        MessageKeys.named(keys(lanes.values())).lockFree(jdbc, sql).forEach(row -> free.put(row.key(), row));
        Set<Long> held = held(lanes.values(), free.keySet());
        lanes.values().removeIf(lane -> lane.keySet().stream().anyMatch(held::contains));
        List<MessageHead> unchanged = suspects.stream()
                .filter(suspect -> lanes.containsKey(suspect.lane()) && isUnchanged(suspect, free))
                .toList();
        raise(unchanged, running, lanes, free);
        return unchanged.stream().map(MessageHead::id).toList();
    }

    private static boolean isUnchanged(MessageHead suspect, Map<MessageKey, LockedMessage> free) {
        LockedMessage row = free.get(suspect.key());
        return row != null && row.version() == suspect.version();
    }

    private List<Follower> followers(List<MessageHead> suspects) throws SQLException {
        List<Follower> followers = new ArrayList<>();
        for (List<MessageHead> part : Chunks.of(suspects, AT_ONCE)) {
            followers.addAll(jdbc.list(
                    sql.read.following(part.size()),
                    row -> new Follower(row.getLong("lane"), new MessageKey(row.getLong("seq"), jdbc.uuid(row, "id"))),
                    parameters(part)));
        }
        return followers;
    }

    private Object[] parameters(List<MessageHead> part) throws SQLException {
        return jdbc.dialect() == Dialect.POSTGRESQL
                ? new Object[] {
                    jdbc.connection()
                            .createArrayOf(
                                    "bigint",
                                    part.stream().map(MessageHead::lane).toArray()),
                    jdbc.connection()
                            .createArrayOf(
                                    "bigint",
                                    part.stream().map(MessageHead::seq).toArray())
                }
                : part.stream()
                        .flatMap(head -> Stream.<Object>of(head.lane(), head.seq()))
                        .toArray();
    }

    private static List<MessageKey> keys(Collection<TreeMap<Long, MessageKey>> lanes) {
        return lanes.stream().flatMap(lane -> lane.values().stream()).toList();
    }

    /**
     * The numbers of the rows that another transaction has locked, for example that of a node that died or froze inside
     * a delivery. A row that is gone by now is not locked.
     */
    private Set<Long> held(Collection<TreeMap<Long, MessageKey>> lanes, Set<MessageKey> free) throws SQLException {
        List<MessageKey> missing =
                keys(lanes).stream().filter(key -> !free.contains(key)).toList();
        return MessageKeys.named(missing).existing(jdbc, sql);
    }

    private void raise(
            List<MessageHead> suspects,
            Set<UUID> running,
            Map<Long, TreeMap<Long, MessageKey>> lanes,
            Map<MessageKey, LockedMessage> free)
            throws SQLException {
        Set<MessageKey> started = new HashSet<>();
        Set<MessageKey> following = new LinkedHashSet<>();
        for (MessageHead head : suspects) {
            if (running.contains(head.id())) {
                started.add(head.key());
            }
            lanes.get(head.lane()).tailMap(head.seq(), false).values().stream()
                    .limit(FencedWriter.BUMPED)
                    .filter(key -> free.containsKey(key) && free.get(key).status() != MessageState.SPLIT)
                    .forEach(following::add);
        }
        following.removeAll(started);
        MessageKeys.named(started).update(jdbc, sql.messages.startRows);
        MessageKeys.named(following).update(jdbc, sql.messages.touchRows);
    }
}
