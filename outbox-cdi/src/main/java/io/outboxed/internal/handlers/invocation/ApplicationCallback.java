package io.outboxed.internal.handlers.invocation;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import java.util.function.Supplier;

/**
 * Calls code of the application on a thread of the relay, outside a delivery and without a transaction. What it leaves on
 * the thread would be found by the next code there, so nothing stays: no transaction, interrupt or class loader.
 */
@Dependent
public class ApplicationCallback {
    private final Transactions transactions;

    @Inject
    ApplicationCallback(Transactions transactions) {
        this.transactions = transactions;
    }

    /** @throws IllegalStateException also if the code has left a transaction open; it is rolled back */
    public <T> T call(Supplier<T> code) {
        Thread thread = Thread.currentThread();
        ClassLoader classes = thread.getContextClassLoader();
        T answer;
        try {
            answer = code.get();
        } catch (Throwable e) {
            endAfter(e);
            throw e;
        } finally {
            thread.setContextClassLoader(classes);
        }
        int status = endTransaction();
        if (status != Status.STATUS_NO_TRANSACTION) {
            throw new IllegalStateException("it left a transaction open (status " + status + "); rolled back");
        }
        return answer;
    }

    /** As {@link #call}. */
    public void run(Runnable code) {
        call(() -> {
            code.run();
            return true;
        });
    }

    private void endAfter(Throwable failure) {
        try {
            endTransaction();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    /** @return the status before that */
    private int endTransaction() {
        // H2 closes its file, and with it the database, if an interrupted thread writes
        Thread.interrupted();
        int status = transactions.status();
        try {
            try {
                if (status != Status.STATUS_NO_TRANSACTION) {
                    transactions.rollback();
                }
            } finally {
                transactions.timeout(0);
            }
        } catch (SystemException e) {
            throw new IllegalStateException(e);
        }
        return status;
    }
}
