package io.outboxed.internal.relay.failure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Counts for each message and handler how often something happened in a row: that a transaction ended without a known
 * outcome, or lost its claim on the row, although the row still exists; or that none could begin. Beyond the limit,
 * that is no accident: the commit is rejected every time, the handler swallows a rollback, or the pool is exhausted.
 */
public final class ConsecutiveOccurrences {
    public static final int TOLERATED = 2;

    private static final int MAX_REMEMBERED = 10_000;

    private final Map<Key, Integer> consecutive = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Integer> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    private record Key(UUID message, String handler) {}

    /** @return whether one more is tolerated */
    public boolean tolerate(UUID message, String handler) {
        return consecutive.merge(new Key(message, handler), 1, Integer::sum) <= TOLERATED;
    }

    /** The next one is the first again. */
    public void forget(UUID message, String handler) {
        consecutive.remove(new Key(message, handler));
    }
}
