package io.outboxed.internal.capture.transaction;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.function.IntConsumer;

/**
 * Work that comes last before a commit. Servers flush JPA either in normal or in interposed synchronizations.
 * Interposed ones run after the normal ones, and one that is registered while they run comes last. So the first one,
 * called when the commit begins, registers a second one, which does the work. Both check the status, because a failed
 * flush may have ended the transaction.
 */
public final class BeforeCommit implements Synchronization {
    private final TransactionSynchronizationRegistry transaction;
    private final Runnable work;
    private final IntConsumer after;

    private BeforeCommit(TransactionSynchronizationRegistry transaction, Runnable work, IntConsumer after) {
        this.transaction = transaction;
        this.work = work;
        this.after = after;
    }

    /**
     * In the calling thread's transaction.
     *
     * @param work not done if the transaction is rolled back
     * @param after gets the final status in either case
     */
    public static void last(TransactionSynchronizationRegistry transaction, Runnable work, IntConsumer after) {
        BeforeCommit last = new BeforeCommit(transaction, work, status -> {});
        transaction.registerInterposedSynchronization(
                new BeforeCommit(transaction, () -> transaction.registerInterposedSynchronization(last), after));
    }

    @Override
    public void beforeCompletion() {
        switch (transaction.getTransactionStatus()) {
            case Status.STATUS_ACTIVE -> run();
            case Status.STATUS_NO_TRANSACTION -> throw onAnotherThread();
            default -> {}
        }
    }

    /**
     * Whatever completes an imported transaction, such as Narayana's {@code jakarta.resource.spi.XATerminator}, need not
     * associate its thread with it. Then neither the registry nor JPA reaches the transaction.
     */
    private static IllegalStateException onAnotherThread() {
        return new IllegalStateException("the transaction is completed by the thread "
                + Thread.currentThread().getName()
                + ", which is not associated with it, so the outbox can't do its"
                + " work before the commit: publish in a transaction that was begun in this server");
    }

    private void run() {
        try {
            work.run();
        } catch (Error e) {
            // Payara's commit would leave the connection as it is: neither committed nor rolled back
            throw new IllegalStateException("the outbox's work at the end of the transaction ended in an error", e);
        }
    }

    @Override
    public void afterCompletion(int status) {
        after.accept(status);
    }
}
