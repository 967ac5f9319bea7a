package io.outboxed.internal.capture.transaction;

import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;

/**
 * Keeps a transaction in which the outbox has failed from being committed, whoever catches the exception, and remembers
 * the failure for calls that follow in this transaction.
 */
public final class RollbackMark {
    private static final Object KEY = new Object();

    private volatile Throwable failure;

    private RollbackMark() {}

    /** Of the calling thread's transaction. Its reason can be asked after the end of the transaction too. */
    public static RollbackMark of(TransactionSynchronizationRegistry transaction) {
        RollbackMark mark = (RollbackMark) transaction.getResource(KEY);
        if (mark == null) {
            mark = new RollbackMark();
            transaction.putResource(KEY, mark);
        }
        return mark;
    }

    /** Why the outbox has marked the transaction; null if it has not: the application did, or the server. */
    public Throwable reason() {
        return failure;
    }

    /** Does nothing without an active transaction, and never hides the failure. */
    public static void set(TransactionSynchronizationRegistry transaction, Throwable failure) {
        try {
            if (transaction.getTransactionStatus() == Status.STATUS_ACTIVE) {
                transaction.setRollbackOnly();
                of(transaction).failure = failure;
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    public static boolean isSet(TransactionSynchronizationRegistry transaction) {
        return transaction.getTransactionStatus() == Status.STATUS_MARKED_ROLLBACK;
    }
}
