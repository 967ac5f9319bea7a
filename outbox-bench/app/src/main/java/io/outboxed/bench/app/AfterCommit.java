package io.outboxed.bench.app;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;

/** Runs an action after the commit. */
record AfterCommit(Runnable action) implements Synchronization {

    @Override
    public void beforeCompletion() {
        // only the outcome matters
    }

    @Override
    public void afterCompletion(int status) {
        if (status == Status.STATUS_COMMITTED) {
            action.run();
        }
    }
}
