package io.outboxed.internal.capture;

import io.outboxed.internal.database.NetworkPath;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the answers of a database for which a client has waited, on each connection. A driver may send several commands
 * before the first answer, so answers take some time on their way back.
 */
final class RoundTrips implements AutoCloseable {
    private static final long WAY_BACK = Duration.ofMillis(100).toNanos();

    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final NetworkPath path;

    RoundTrips(String serverUrl) throws IOException {
        path = new NetworkPath(serverUrl, asked::add, this::answer);
    }

    /** To be used in place of the server's. */
    String url() {
        return path.url();
    }

    int count() {
        return count.get();
    }

    private void answer(int connection) {
        LockSupport.parkNanos(WAY_BACK);
        if (asked.remove(connection)) {
            count.incrementAndGet();
        }
    }

    @Override
    public void close() throws IOException {
        path.close();
    }
}
