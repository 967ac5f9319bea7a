package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.jdbc.caller.PublishedMessages;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Business transactions that publish delayed messages and cancel many of them, most when they are about to become due.
 * They stay open for a while, and some of them roll back.
 */
final class Cancellers {
    private static final int THREADS = 8;
    private static final Duration LONGEST_DELAY = Duration.ofMillis(600);

    private final ConnectionSource source;
    private final SqlText names;
    private final History history;
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger tooLate = new AtomicInteger();

    Cancellers(ConnectionSource source, SqlText names, History history) {
        this.source = source;
        this.names = names;
        this.history = history;
    }

    void run(int messages, ExecutorService threads, long seed) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed + i);
            all.add(threads.submit(() -> {
                transact(messages / THREADS, random);
                return null;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
    }

    int cancelled() {
        return cancelled.get();
    }

    int tooLate() {
        return tooLate.get();
    }

    private void transact(int messages, Random random) throws SQLException {
        try (Connection connection = source.open()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            for (int i = 0; i < messages; i++) {
                long delay = 1_000 + random.nextLong(LONGEST_DELAY.toNanos() / 1_000);
                UUID id = publish(connection, random, delay);
                LockSupport.parkNanos(delay * 1_000
                        - Duration.ofMillis(random.nextInt(60) - 10).toNanos());
                cancel(connection, id, random);
            }
        }
    }

    private UUID publish(Connection connection, Random random, long delayMicros) throws SQLException {
        UUID id = new UUID(random.nextLong(), random.nextLong());
        boolean outside = random.nextBoolean();
        new Jdbc(connection, names.dialect())
                .update(
                        names.of(
                                "INSERT INTO outbox_message (id, shard, lane, type, payload, payload_size, delay_micros)"
                                        + " VALUES (?, ?, ?, ?, '{}', 2, ?)"),
                        id,
                        random.nextInt(64),
                        random.nextLong(),
                        outside ? "asked" : "placed",
                        delayMicros);
        history.published(id, Set.of(outside ? "mail" : "ship"), id.toString(), 1, false);
        connection.commit();
        return id;
    }

    private void cancel(Connection connection, UUID id, Random random) throws SQLException {
        if (!new PublishedMessages(names.dialect(), names.prefix()).cancel(connection, id)) {
            tooLate.incrementAndGet();
            connection.rollback();
            return;
        }
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(100)).toNanos());
        if (random.nextInt(4) == 0) {
            connection.rollback();
            return;
        }
        connection.commit();
        history.cancelled(id);
        cancelled.incrementAndGet();
    }
}
