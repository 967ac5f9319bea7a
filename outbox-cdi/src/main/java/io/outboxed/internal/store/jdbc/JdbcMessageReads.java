package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.WaitingDelivery;
import io.outboxed.internal.store.sql.Sql;
import io.outboxed.internal.store.sql.StateCodes;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** A relay's reads. Each is one auto-commit statement, so one snapshot. */
final class JdbcMessageReads implements MessageReads {
    private static final int NAMES_IN_A_STATEMENT = 500;

    private final Connections connections;
    private final Sql sql;

    JdbcMessageReads(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    private record Pair<A, B>(A key, B value) {}

    private record Delivery(WaitingDelivery waiting, boolean due) {}

    @Override
    public List<MessageHead> ready(Collection<ReadWindow> windows) {
        if (windows.isEmpty()) {
            return List.of();
        }
        List<MessageHead> heads = connections.autoCommit(
                jdbc -> jdbc.list(sql.read.ready(windows), row -> headWithBody(jdbc, row), parameters(jdbc, windows)));
        heads.sort(Comparator.comparingLong(MessageHead::seq));
        return heads;
    }

    /**
     * A UNION of 64 parts takes MySQL 5 to 10 ms, rows or not. If there are more rows than the smallest limit, some
     * shards may lack rows or have too many.
     */
    @Override
    public List<MessageHead> sweep(Collection<ReadWindow> windows) {
        if (!sql.dialect().isMySqlFamily() || windows.size() < 2) {
            return ready(windows);
        }
        int limit = windows.stream().mapToInt(ReadWindow::limit).min().orElseThrow();
        List<Object> parameters = new ArrayList<>();
        windows.forEach(window -> parameters.addAll(List.of(window.shard(), window.above())));
        parameters.add(limit + 1);
        List<MessageHead> heads = connections.autoCommit(
                jdbc -> jdbc.list(sql.read.sweep(windows), row -> headWithBody(jdbc, row), parameters.toArray()));
        if (heads.size() > limit) {
            return ready(windows);
        }
        heads.sort(Comparator.comparingLong(MessageHead::seq));
        return heads;
    }

    private static Object[] parameters(Jdbc jdbc, Collection<ReadWindow> windows) throws SQLException {
        if (jdbc.dialect() == Dialect.POSTGRESQL) {
            return new Object[] {
                array(jdbc, "smallint", windows, ReadWindow::shard),
                array(jdbc, "bigint", windows, ReadWindow::above),
                array(jdbc, "bigint", windows, window -> (long) window.limit())
            };
        }
        return windows.stream()
                .flatMap(window -> Stream.<Object>of(window.shard(), window.above(), window.limit()))
                .toArray();
    }

    private static Array array(
            Jdbc jdbc, String type, Collection<ReadWindow> windows, Function<ReadWindow, Object> value)
            throws SQLException {
        return jdbc.connection().createArrayOf(type, windows.stream().map(value).toArray());
    }

    @Override
    public List<MessageHead> lanes(Collection<Long> lanes, int limit) {
        if (lanes.isEmpty()) {
            return List.of();
        }
        List<MessageHead> heads = connections.autoCommit(jdbc -> jdbc.list(
                sql.read.lanes(lanes.size()), row -> headWithBody(jdbc, row), parameters(jdbc, lanes, limit)));
        heads.sort(Comparator.comparingLong(MessageHead::seq));
        return heads;
    }

    private static Object[] parameters(Jdbc jdbc, Collection<Long> lanes, int limit) throws SQLException {
        return jdbc.dialect() == Dialect.POSTGRESQL
                ? new Object[] {jdbc.connection().createArrayOf("bigint", lanes.toArray()), limit}
                : lanes.stream().flatMap(lane -> Stream.<Object>of(lane, limit)).toArray();
    }

    @Override
    public List<WaitingDelivery> waiting(long lane, String group, int limit) {
        for (int most = limit; ; most *= 2) {
            List<Delivery> deliveries = deliveries(lane, group, most);
            List<WaitingDelivery> page = callable(deliveries);
            boolean mayHideMore = deliveries.size() == most
                    && deliveries.stream().map(JdbcMessageReads::seq).distinct().count() == 1;
            if (page.size() >= limit || !mayHideMore) {
                return page.subList(0, Math.min(limit, page.size()));
            }
        }
    }

    private List<Delivery> deliveries(long lane, String group, int most) {
        return connections.autoCommit(jdbc -> jdbc.list(
                sql.read.waiting,
                row -> new Delivery(
                        new WaitingDelivery(
                                head(jdbc, row),
                                row.getString("handler"),
                                row.getString("handler_group"),
                                row.getInt("tries")),
                        row.getInt("due_now") == 1),
                lane,
                group,
                lane,
                group,
                most));
    }

    /** Nothing may overtake a delivery that is not due or is blocked: the page ends with its message. */
    private static List<WaitingDelivery> callable(List<Delivery> deliveries) {
        long end = deliveries.stream()
                .filter(delivery -> !delivery.due())
                .mapToLong(JdbcMessageReads::seq)
                .min()
                .orElse(Long.MAX_VALUE);
        return deliveries.stream()
                .filter(delivery -> delivery.due() && seq(delivery) <= end)
                .map(Delivery::waiting)
                .sorted(Comparator.comparingLong(
                                (WaitingDelivery waiting) -> waiting.head().seq())
                        .thenComparing(WaitingDelivery::handler))
                .toList();
    }

    private static long seq(Delivery delivery) {
        return delivery.waiting().head().seq();
    }

    @Override
    public Optional<String> lastError(MessageHead message, String handler) {
        return connections.autoCommit(jdbc -> jdbc.first(
                sql.read.lastError,
                row -> Objects.requireNonNullElse(row.getString("last_error"), ""),
                message.id(),
                handler,
                message.seq()));
    }

    @Override
    public List<MessageHead> unadopted(long lane, long above, int limit) {
        return connections.autoCommit(
                jdbc -> jdbc.list(sql.read.unadopted, row -> head(jdbc, row), lane, LaneWait.NO_HANDLER, above, limit));
    }

    @Override
    public List<LaneWait> due(Collection<Integer> shards, int limit, Collection<String> withoutGroups) {
        if (shards.isEmpty()) {
            return List.of();
        }
        List<Object> parameters = new ArrayList<>(shards);
        parameters.addAll(withoutGroups);
        parameters.add(limit);
        return connections.autoCommit(jdbc -> jdbc.list(
                sql.read.due(shards.size(), withoutGroups.size()), JdbcMessageReads::laneWait, parameters.toArray()));
    }

    @Override
    public List<LaneWait> dueOf(Collection<Long> lanes) {
        return inParts(lanes, sql.read::dueOf, (jdbc, row) -> laneWait(row));
    }

    static LaneWait laneWait(ResultSet row) throws SQLException {
        return new LaneWait(row.getLong("lane"), row.getInt("shard"), row.getString("handler_group"));
    }

    @Override
    public Map<Long, Set<String>> waits(Collection<Long> lanes) {
        return grouped(
                lanes, sql.read::waits, (jdbc, row) -> new Pair<>(row.getLong("lane"), row.getString("handler_group")));
    }

    @Override
    public Set<Integer> waitingShards(Collection<Integer> shards) {
        return new HashSet<>(inParts(shards, sql.read::waitingShards, (jdbc, row) -> row.getInt("shard")));
    }

    @Override
    public Map<UUID, Set<String>> done(Collection<UUID> messages) {
        return grouped(
                messages,
                sql.read::done,
                (jdbc, row) -> new Pair<>(jdbc.uuid(row, "message_id"), row.getString("handler")));
    }

    @Override
    public List<MessageBody> bodies(Collection<Long> seqs) {
        return inParts(seqs, sql.read::bodies, (jdbc, row) -> body(row, row.getLong("seq"), jdbc.uuid(row, "id")));
    }

    @Override
    public List<MessageBody> bodiesWithoutPayload(Collection<Long> seqs) {
        return inParts(
                seqs,
                sql.read::bodiesWithoutPayload,
                (jdbc, row) -> body(row, row.getLong("seq"), jdbc.uuid(row, "id")));
    }

    @Override
    public Set<UUID> startable(Collection<MessageHead> delayed) {
        return connections.autoCommit(jdbc -> {
            Set<UUID> startable = new HashSet<>();
            MessageKeys.of(delayed).lockFree(jdbc, sql).stream()
                    .filter(row -> !row.delayed())
                    .map(row -> row.key().id())
                    .forEach(startable::add);
            return startable;
        });
    }

    @Override
    public long highest() {
        return connections.autoCommit(jdbc ->
                jdbc.first(sql.read.highest, row -> row.getLong("highest")).orElse(0L));
    }

    private interface PartMapper<T> {
        T map(Jdbc jdbc, ResultSet row) throws SQLException;
    }

    private <K, V> Map<K, Set<V>> grouped(
            Collection<K> names, IntFunction<String> text, PartMapper<Pair<K, V>> mapper) {
        Map<K, Set<V>> result = new HashMap<>();
        for (Pair<K, V> pair : inParts(names, text, mapper)) {
            result.computeIfAbsent(pair.key(), key -> new HashSet<>()).add(pair.value());
        }
        return result;
    }

    private <T> List<T> inParts(Collection<?> names, IntFunction<String> text, PartMapper<T> mapper) {
        List<Object> all = new ArrayList<>(new HashSet<>(names));
        List<T> result = new ArrayList<>();
        for (List<Object> part : Chunks.of(all, NAMES_IN_A_STATEMENT)) {
            result.addAll(connections.autoCommit(
                    jdbc -> jdbc.list(text.apply(part.size()), row -> mapper.map(jdbc, row), part.toArray())));
        }
        return result;
    }

    private static MessageHead headWithBody(Jdbc jdbc, ResultSet row) throws SQLException {
        UUID id = jdbc.uuid(row, "id");
        long seq = row.getLong("seq");
        boolean small = row.getInt("payload_size") <= MessageHead.BODY_READ_ALONG;
        return head(row, seq, id, small ? body(row, seq, id) : null);
    }

    private static MessageHead head(Jdbc jdbc, ResultSet row) throws SQLException {
        return head(row, row.getLong("seq"), jdbc.uuid(row, "id"), null);
    }

    private static MessageHead head(ResultSet row, long seq, UUID id, MessageBody body) throws SQLException {
        return new MessageHead(
                seq,
                id,
                row.getInt("shard"),
                row.getLong("lane"),
                row.getString("type"),
                Objects.requireNonNullElse(row.getString("aggregate_type"), ""),
                StateCodes.messageState(row),
                row.getInt("version"),
                row.getLong("registry_version"),
                row.getInt("payload_size"),
                row.getInt("starts"),
                row.getInt("delayed_now") == 1,
                row.getString("only_handler"),
                body);
    }

    private static MessageBody body(ResultSet row, long seq, UUID id) throws SQLException {
        return new MessageBody(
                seq,
                id,
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                EpochMicros.toInstant(row.getLong("created")),
                Duration.of(row.getLong("delay_micros"), ChronoUnit.MICROS),
                row.getString("headers"),
                row.getString("payload"),
                row.getBytes("payload_binary"));
    }
}
