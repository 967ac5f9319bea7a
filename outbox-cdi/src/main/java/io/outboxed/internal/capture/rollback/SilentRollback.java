package io.outboxed.internal.capture.rollback;

import io.outboxed.OutboxException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.function.BooleanSupplier;

/**
 * Keeps a transaction from committing if the database has rolled back what it wrote before. After a deadlock MySQL,
 * MariaDB and H2 roll back the whole transaction, and the next statement begins another one
 * (https://dev.mysql.com/doc/refman/8.4/en/innodb-error-handling.html). The transaction manager does not know that if
 * the application hides the exception.
 */
public final class SilentRollback implements Synchronization {
    private static final Object KEY = new Object();

    private final TransactionSynchronizationRegistry transaction;
    private final String written;
    private final BooleanSupplier isThere;

    private SilentRollback(TransactionSynchronizationRegistry transaction, String written, BooleanSupplier isThere) {
        this.transaction = transaction;
        this.written = written;
        this.isThere = isThere;
    }

    /**
     * Looks for what the calling thread's transaction has written when it is about to commit. What is written later is
     * gone only together with that, so it is not looked for.
     *
     * @param written in words
     * @param isThere asks the database, in the transaction
     */
    public static void detect(TransactionSynchronizationRegistry transaction, String written, BooleanSupplier isThere) {
        if (transaction.getResource(KEY) == null) {
            transaction.registerInterposedSynchronization(new SilentRollback(transaction, written, isThere));
            transaction.putResource(KEY, written);
        }
    }

    @Override
    public void beforeCompletion() {
        if (transaction.getTransactionStatus() == Status.STATUS_ACTIVE) {
            try {
                requireThere();
            } catch (RuntimeException | Error e) {
                RollbackMark.set(transaction, e);
                throw e;
            }
        }
    }

    private void requireThere() {
        if (!isThere.getAsBoolean()) {
            throw new OutboxException(
                    "OUTBOX-0148",
                    written + " is gone before the end of the transaction, so nothing of it is stored: the database has"
                            + " rolled back what the transaction did before, as MySQL does after a deadlock, and the"
                            + " application has hidden that exception, or it has rolled back to a savepoint itself. Let"
                            + " the exception pass, and repeat the whole transaction");
        }
    }

    @Override
    public void afterCompletion(int status) {
        // nothing to do
    }
}
