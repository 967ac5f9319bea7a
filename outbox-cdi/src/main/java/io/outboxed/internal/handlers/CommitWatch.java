package io.outboxed.internal.handlers;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;

/**
 * Sees how a transaction ends, whoever ends it.
 *
 * <p>After a failed commit one question matters: did the database get to know of it? The watch registers itself anew in
 * {@code beforeCompletion}, so that it comes after the flush of an ORM and after events that wait for the end of the
 * transaction; once it was called that last time, the commit is on its way and only the database knows the result.
 */
final class CommitWatch {
    private static final int LAST_ROUND = 3;

    private final Transactions transactions;
    private volatile boolean commitOnItsWay;
    private volatile int ended = -1;

    private CommitWatch(Transactions transactions) {
        this.transactions = transactions;
    }

    static CommitWatch start(Transactions transactions) {
        CommitWatch watch = new CommitWatch(transactions);
        transactions.listen(watch.round(1));
        return watch;
    }

    boolean committed() {
        return ended == Status.STATUS_COMMITTED;
    }

    /** For certain: no commit has reached the database. */
    boolean rolledBack() {
        return ended == Status.STATUS_ROLLEDBACK && !commitOnItsWay;
    }

    private Synchronization round(int number) {
        return new Synchronization() {
            @Override
            public void beforeCompletion() {
                if (number == LAST_ROUND) {
                    commitOnItsWay = true;
                } else if (transactions.status() == Status.STATUS_ACTIVE) {
                    transactions.listen(round(number + 1));
                }
            }

            @Override
            public void afterCompletion(int status) {
                ended = status;
            }
        };
    }
}
