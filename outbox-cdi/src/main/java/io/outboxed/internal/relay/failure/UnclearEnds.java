package io.outboxed.internal.relay.failure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How often in a row a message's transaction ended without telling how, or lost its claim on the row, while the row is still
 * there. After some times it has failed: its commit is refused, or its handler hides a rollback.
 */
public final class UnclearEnds {
    public static final int TOLERATED = 2;

    private static final int MOST_REMEMBERED = 10_000;

    private final Map<UUID, Integer> inARow = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Integer> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** @return whether one more is to be tolerated */
    public boolean tolerate(UUID message) {
        return inARow.merge(message, 1, Integer::sum) <= TOLERATED;
    }

    /** It ended clearly. */
    public void forget(UUID message) {
        inARow.remove(message);
    }
}
