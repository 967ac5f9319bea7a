package io.outboxed.kafka;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** An application that publishes while the way out changes: one event of each aggregate, a pause, and again. */
final class Publishing implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final int LAST_ROUNDS = 10;

    private final StoredEvents stored;
    private final int aggregates;
    private final Thread thread = new Thread(this::publish, "publishing");
    private volatile boolean ends;
    private int rounds;
    private SQLException failure;

    Publishing(StoredEvents stored, int aggregates) {
        this.stored = stored;
        this.aggregates = aggregates;
        thread.start();
    }

    private void publish() {
        try {
            while (!ends) {
                stored.publish(aggregates, 1, ++rounds);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            stored.publish(aggregates, LAST_ROUNDS, rounds + 1);
            rounds += LAST_ROUNDS;
        } catch (SQLException e) {
            failure = e;
        }
    }

    /** Publishes some more and returns the number of all events. */
    int end() throws InterruptedException, SQLException {
        close();
        if (failure != null) {
            throw failure;
        }
        return rounds * aggregates;
    }

    @Override
    public void close() throws InterruptedException {
        ends = true;
        thread.join();
    }
}
