package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneHash;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Publishes each event when it is due, by a schedule that is fixed in advance; those of an aggregate on one thread. */
final class PacedLoad implements AutoCloseable {
    /** A multiple of the threads. */
    static final int AGGREGATES = 200;

    private static final int THREADS = 4;
    private static final String AGGREGATE_TYPE = "order";
    /** Of the first aggregate of a burst. */
    private static final int BURST = 1_000_000;

    private final CallLog log;
    private final int rate;
    private final List<Jdbc> connections = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    /** Of the last event of each aggregate. */
    private final int[] numbers = new int[AGGREGATES];

    private volatile List<IsolationNode> nodes = List.of();
    private int published;

    PacedLoad(IsolationDatabase database, CallLog log, int rate) throws SQLException {
        this.log = log;
        this.rate = rate;
        for (int thread = 0; thread < THREADS; thread++) {
            connections.add(new Jdbc(database.source().open(), database.dialect()));
        }
    }

    /** Events a second. */
    int rate() {
        return rate;
    }

    /** From now on these nodes take turns as publishers. */
    void publishAs(IsolationNode... publishers) {
        nodes = List.of(publishers);
    }

    /** Returns when all are published. */
    void publish(String phase, int seconds) throws Exception {
        begin(phase, seconds).get();
    }

    Future<Void> begin(String phase, int seconds) {
        int first = published;
        int events = seconds * rate;
        published += events;
        long begin = System.nanoTime();
        List<Future<Void>> publishing = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            publishing.add(threads.submit(() -> publish(thread, phase, first, events, begin)));
        }
        return threads.submit(() -> {
            for (Future<Void> each : publishing) {
                each.get();
            }
            return null;
        });
    }

    private Void publish(int thread, String phase, int first, int events, long begin) throws SQLException {
        for (int i = 0; i < events; i++) {
            int index = first + i;
            if (index % THREADS == thread) {
                long due = begin + (long) (i * 1e9 / rate);
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                List<IsolationNode> publishers = nodes;
                // the rounds are shifted: each node publishes events of each aggregate
                publish(
                        connections.get(thread),
                        phase,
                        index % AGGREGATES,
                        due,
                        publishers.get((index + index / AGGREGATES) % publishers.size()));
            }
        }
        return null;
    }

    /** In one transaction, one event of each of so many aggregates. */
    void burst(String phase, String type, int events) throws SQLException {
        IsolationNode publisher = nodes.get(0);
        Jdbc jdbc = connections.get(0);
        long due = System.nanoTime();
        jdbc.connection().setAutoCommit(false);
        for (int i = 0; i < events; i++) {
            int aggregate = BURST + i;
            insert(jdbc, type, event(aggregate, 1, phase, due, publisher), publisher);
        }
        jdbc.connection().commit();
        jdbc.connection().setAutoCommit(true);
        publisher.committed(0);
    }

    private void publish(Jdbc connection, String phase, int aggregate, long due, IsolationNode publisher)
            throws SQLException {
        PublishedEvent event = event(aggregate, ++numbers[aggregate], phase, due, publisher);
        publisher.committed(insert(connection, RecordedHandlers.TYPE, event, publisher));
    }

    private PublishedEvent event(int aggregate, int number, String phase, long due, IsolationNode publisher) {
        PublishedEvent event = new PublishedEvent(UUID.randomUUID(), aggregate, number, phase, publisher.name(), due);
        log.publishing(event);
        return event;
    }

    /** @return its shard */
    private static int insert(Jdbc connection, String type, PublishedEvent event, IsolationNode publisher)
            throws SQLException {
        String aggregateId = String.valueOf(event.aggregate());
        long lane = LaneHash.lane(AGGREGATE_TYPE, aggregateId);
        connection.update(
                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                        + " payload_size, delay_micros, registry_version) VALUES (?, ?, ?, ?, ?, ?, '{}', 2, 0, ?)",
                event.id(),
                LaneHash.shard(lane),
                lane,
                AGGREGATE_TYPE,
                aggregateId,
                type,
                publisher.registryVersion());
        return LaneHash.shard(lane);
    }

    @Override
    public void close() throws SQLException {
        threads.shutdown();
        for (Jdbc each : connections) {
            each.connection().close();
        }
    }
}
