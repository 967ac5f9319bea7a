package io.outboxed.internal.handlers.invocation;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;

/**
 * Does the last work of a transaction and observes how it ends, whether this module, the container or the handler ends
 * it.
 *
 * <p>The watch registers itself again in {@code beforeCompletion}, so that its last call comes after the flush of an ORM,
 * after observers and synchronizations of the application, and after events that wait for the end of the transaction.
 */
final class CommitWatch {
    private static final int LAST_ROUND = 3;

    /** What the transaction manager says. */
    enum Completion {
        COMMITTED,
        /** If the last work was done, a commit may have reached the database before its answer was lost. */
        ROLLED_BACK,
        /** Or not ended. */
        IN_DOUBT
    }

    private final Transactions transactions;
    private volatile Runnable last = () -> {};
    private volatile int ended = -1;

    private CommitWatch(Transactions transactions) {
        this.transactions = transactions;
    }

    static CommitWatch start(Transactions transactions) {
        CommitWatch watch = new CommitWatch(transactions);
        transactions.listen(watch.round(1));
        return watch;
    }

    /** @param work not done if the transaction is rolled back; if it fails, the transaction is */
    void last(Runnable work) {
        last = work;
    }

    Completion completion() {
        return switch (ended) {
            case Status.STATUS_COMMITTED -> Completion.COMMITTED;
            case Status.STATUS_ROLLEDBACK -> Completion.ROLLED_BACK;
            default -> Completion.IN_DOUBT;
        };
    }

    private Synchronization round(int number) {
        return new Synchronization() {
            @Override
            public void beforeCompletion() {
                if (transactions.status() != Status.STATUS_ACTIVE) {
                    return;
                }
                if (number < LAST_ROUND) {
                    transactions.listen(round(number + 1));
                } else {
                    last.run();
                }
            }

            @Override
            public void afterCompletion(int status) {
                ended = status;
            }
        };
    }
}
