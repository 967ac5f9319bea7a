package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.relay.Notifications;
import io.outboxed.spi.FailedAttempt;
import java.util.function.Supplier;

/** What one node reports of the failed attempts of a handler, in their order. */
final class FailureReports implements Notifications {
    private final String handler;
    private long countedBefore;
    private long countedAfter;
    private long downSince;

    FailureReports(String handler) {
        this.handler = handler;
    }

    @Override
    public void attemptFailed(Supplier<FailedAttempt> attempt) {
        add(attempt.get());
    }

    private synchronized void add(FailedAttempt attempt) {
        if (!attempt.handler().equals(handler)) {
            return;
        }
        if (!attempt.counted() && downSince == 0) {
            downSince = System.nanoTime();
        } else if (attempt.counted() && downSince == 0) {
            countedBefore++;
        } else if (attempt.counted()) {
            countedAfter++;
        }
    }

    /** Attempts that were used up before the handler counted as down. */
    synchronized long countedBefore() {
        return countedBefore;
    }

    /** Attempts that were used up since. */
    synchronized long countedAfter() {
        return countedAfter;
    }

    /** When the first failure was reported that did not count, by {@link System#nanoTime}; 0: none was. */
    synchronized long downSince() {
        return downSince;
    }
}
