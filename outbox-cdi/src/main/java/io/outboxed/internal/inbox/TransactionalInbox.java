package io.outboxed.internal.inbox;

import io.outboxed.Inbox;
import io.outboxed.OutboxException;
import io.outboxed.internal.capture.InboxRows;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Objects;

/** Inserts the row, then runs the effect, both in the caller's transaction. */
@ApplicationScoped
class TransactionalInbox implements Inbox {

    @Inject
    CallerTransaction transaction;

    @Inject
    InboxRows rows;

    @Override
    public boolean once(String id, String receiver, Runnable effect) {
        Objects.requireNonNull(effect, "effect");
        boolean claimed = isFirstCall(id, receiver);
        if (claimed) {
            run(receiver, () -> {
                effect.run();
                return null;
            });
        }
        return claimed;
    }

    /** @return what the call returned; null if it was skipped */
    Object call(String id, String receiver, Effect<Exception> method) throws Exception {
        return isFirstCall(id, receiver) ? run(receiver, method) : null;
    }

    /** @param <E> what it may throw */
    interface Effect<E extends Exception> {
        Object run() throws E;
    }

    private boolean isFirstCall(String id, String receiver) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(receiver, "receiver");
        requireActiveTransaction(receiver);
        return rows.isFirstCall(receiver, id);
    }

    private <E extends Exception> Object run(String receiver, Effect<E> effect) throws E {
        Object claimed = transaction.key();
        try {
            Object returned = effect.run();
            requireStillActive(claimed, receiver);
            return returned;
        } catch (Throwable e) {
            // also a checked exception, after which @Transactional would commit
            transaction.mark(e);
            throw e;
        }
    }

    /**
     * A container rolls back a marked transaction without an exception if the method returns.
     *
     * @param claimed the key of the transaction that has the row
     */
    private void requireStillActive(Object claimed, String receiver) {
        transaction.requireSame(
                claimed,
                () -> new OutboxException(
                        "OUTBOX-0141",
                        "the effect of " + receiver
                                + " was run, but the application or a timeout has ended its transaction"
                                + " in the meantime. Retry the call in another transaction: it runs the effect"
                                + " again unless that was committed"));
        if (!transaction.isActive()) {
            throw new OutboxException(
                    "OUTBOX-0141",
                    "the effect of " + receiver + " was run, but the application or a timeout has marked its"
                            + " transaction for rollback in the meantime, so nothing of it is stored. Retry the whole"
                            + " transaction",
                    transaction.reason());
        }
    }

    private void requireActiveTransaction(String receiver) {
        transaction.requireActive(
                () -> new OutboxException(
                        "OUTBOX-0140",
                        "no transaction is active, so the effect of " + receiver
                                + " could not be stored together with its"
                                + " row in the inbox: put @Transactional on the method (or make it an EJB, or begin a"
                                + " UserTransaction)"),
                reason -> new OutboxException(
                        "OUTBOX-0141",
                        "the transaction is marked for rollback, so the effect of " + receiver
                                + " could not be stored, and it was not run. Retry the whole transaction",
                        reason),
                status -> new OutboxException(
                        "OUTBOX-0141",
                        "the transaction is already being completed (jakarta.transaction.Status " + status
                                + "), so the effect of " + receiver
                                + " could not be stored, and it was not run. Call it"
                                + " earlier, or in a separate transaction"));
    }
}
