package io.outboxed.internal.handlers.invocation;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;

/**
 * Observes how a transaction ends, whether this module, the container or the handler ends it.
 *
 * <p>After a failed commit one question matters: did the commit reach the database? The watch registers itself again in
 * {@code beforeCompletion}, so that its last call comes after the flush of an ORM and after events that wait for the
 * end of the transaction. After that last call, the commit is on its way and only the database knows the result.
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

    /** Whether it is certain that no commit has reached the database. */
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
