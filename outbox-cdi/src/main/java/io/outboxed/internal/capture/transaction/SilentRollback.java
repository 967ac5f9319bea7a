package io.outboxed.internal.capture.transaction;

import io.outboxed.OutboxException;
import io.outboxed.internal.store.jdbc.caller.InboxEntry;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Keeps a transaction from committing if the database has rolled back rows of the inbox that it has inserted. After a
 * deadlock MySQL, MariaDB and H2 roll back the whole transaction, and the next statement begins another one
 * (https://dev.mysql.com/doc/refman/8.4/en/innodb-error-handling.html). The transaction manager does not know that if
 * the application swallows the exception. After a savepoint, the events that belong to the rows still wait to be
 * written.
 */
public final class SilentRollback {
    private static final Object KEY = new Object();

    private final TransactionSynchronizationRegistry transaction;
    private final UnaryOperator<List<InboxEntry>> missing;
    private final List<InboxEntry> inserted = new ArrayList<>();
    private boolean checked;

    private SilentRollback(TransactionSynchronizationRegistry transaction, UnaryOperator<List<InboxEntry>> missing) {
        this.transaction = transaction;
        this.missing = missing;
    }

    /**
     * Looks for what the calling thread's transaction has inserted when it is about to commit.
     *
     * @param missing asks the database, in the transaction, which of these are gone
     */
    public static void detect(
            TransactionSynchronizationRegistry transaction,
            InboxEntry inserted,
            UnaryOperator<List<InboxEntry>> missing) {
        synchronized (KEY) {
            SilentRollback known = (SilentRollback) transaction.getResource(KEY);
            if (known == null || known.checked) {
                known = new SilentRollback(transaction, missing);
                // later synchronizations may fail without a word as well
                BeforeCommit.last(transaction, known::check, status -> {});
                transaction.putResource(KEY, known);
            }
            known.inserted.add(inserted);
        }
    }

    private void check() {
        try {
            requireThere();
        } catch (RuntimeException | Error e) {
            RollbackMark.set(transaction, e);
            throw e;
        }
    }

    private void requireThere() {
        List<InboxEntry> rows;
        synchronized (KEY) {
            checked = true;
            rows = List.copyOf(inserted);
        }
        List<InboxEntry> gone = missing.apply(rows);
        if (!gone.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0148",
                    "the inbox row of " + gone.get(0).receiver() + " is gone before the end of the transaction, so"
                            + " nothing of it is stored: the database has rolled back what the transaction did before,"
                            + " as MySQL does after a deadlock, and the application swallowed that exception, or"
                            + " rolled back to a savepoint itself. Let the exception propagate, and retry the whole"
                            + " transaction");
        }
    }
}
