package io.outboxed.internal.handlers.invocation;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import java.util.function.Supplier;

/**
 * Code of the application on a thread of the relay that is in no transaction. The next code on that thread must not find
 * one that this has begun and not ended.
 */
@Dependent
public class WithoutTransaction {
    private final Transactions transactions;

    @Inject
    WithoutTransaction(Transactions transactions) {
        this.transactions = transactions;
    }

    /** @throws IllegalStateException also if the code has left a transaction open; it is rolled back */
    public <T> T call(Supplier<T> code) {
        try {
            T answer = code.get();
            int status = transactions.status();
            if (status != Status.STATUS_NO_TRANSACTION) {
                throw new IllegalStateException("it left a transaction open (status " + status + "); rolled back");
            }
            return answer;
        } finally {
            end();
        }
    }

    /** As {@link #call}. */
    public void run(Runnable code) {
        call(() -> {
            code.run();
            return true;
        });
    }

    /** Nothing if there is none. */
    private void end() {
        try {
            if (transactions.status() != Status.STATUS_NO_TRANSACTION) {
                transactions.rollback();
            }
            transactions.timeout(0);
        } catch (SystemException e) {
            throw new IllegalStateException(e);
        }
    }
}
