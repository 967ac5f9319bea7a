package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.signal.CommitSignal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Business transactions: lock an aggregate, change it, store an event last, commit; some roll back. */
final class Writers {
    private static final int THREADS = 4;

    private final ConnectionSource source;
    private final SqlText names;
    private final History history;
    private final List<CommitSignal> signals;
    private final int aggregates;
    private final long seed;
    private int rounds;

    Writers(
            ConnectionSource source,
            SqlText names,
            History history,
            List<CommitSignal> signals,
            int aggregates,
            long seed) {
        this.source = source;
        this.names = names;
        this.history = history;
        this.signals = signals;
        this.aggregates = aggregates;
        this.seed = seed;
    }

    void write(int messages) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new java.util.ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(seed + rounds++);
                all.add(threads.submit(() -> {
                    write(messages / THREADS, random);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void write(int messages, Random random) throws SQLException {
        try (Connection connection = source.open()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            for (int left = messages; left > 0; ) {
                left -= transact(connection, random);
            }
        }
    }

    /** @return how many messages it has written */
    private int transact(Connection connection, Random random) throws SQLException {
        int aggregate = random.nextInt(aggregates);
        long lane = aggregate * 0x9E3779B97F4A7C15L;
        int shard = (int) (lane >>> 58);
        String type = List.of("placed", "changed", "asked", "asked", "listed").get(random.nextInt(5));
        Map<UUID, Long> numbers = new LinkedHashMap<>();
        for (int i = type.equals("listed") ? 6 : 1; i > 0; i--) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            numbers.put(id, next(connection, aggregate));
            insert(connection, id, shard, lane, type);
        }
        if (random.nextInt(50) == 0) {
            connection.rollback();
            return numbers.size();
        }
        Set<String> handlers = new java.util.TreeSet<>();
        DatabaseHandlers.ALL.stream()
                .filter(key -> key.type().equals(type))
                .forEach(key -> handlers.add(key.handler()));
        numbers.forEach((id, number) -> history.published(id, handlers, "aggregate " + aggregate, number, true));
        connection.commit();
        signals.get(random.nextInt(signals.size())).committed(Set.of(shard));
        return numbers.size();
    }

    private static long next(Connection connection, int aggregate) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE aggregate SET n = n + 1 WHERE id = ?");
                PreparedStatement read = connection.prepareStatement("SELECT n FROM aggregate WHERE id = ?")) {
            update.setInt(1, aggregate);
            update.executeUpdate();
            read.setInt(1, aggregate);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private void insert(Connection connection, UUID id, int shard, long lane, String type) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(names.of("INSERT INTO outbox_message (id, shard, lane,"
                        + " aggregate_type, aggregate_id, type, payload, payload_size, delay_micros, registry_version)"
                        + " VALUES (?, ?, ?, 'order', 'o', ?, '{}', 2, 0, 0)"))) {
            insert.setObject(1, names.dialect().uuidParameter(id));
            insert.setInt(2, shard);
            insert.setLong(3, lane);
            insert.setString(4, type);
            insert.executeUpdate();
        }
    }
}
