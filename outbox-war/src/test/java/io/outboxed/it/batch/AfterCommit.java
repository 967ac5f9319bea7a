package io.outboxed.it.batch;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;

/** Something to do once the transaction has committed. */
record AfterCommit(Runnable action) implements Synchronization {
    @Override
    public void beforeCompletion() {}

    @Override
    public void afterCompletion(int status) {
        if (status == Status.STATUS_COMMITTED) {
            action.run();
        }
    }
}
