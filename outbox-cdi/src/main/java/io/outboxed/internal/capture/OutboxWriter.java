package io.outboxed.internal.capture;

import io.outboxed.Outbox;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.transaction.RollbackMark;
import io.outboxed.internal.database.RepeatAdvice;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.signal.CommitSignal;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.UUID;

/** Entry point for every published event: checks it, builds its row, and adds the row to the caller's transaction. */
@ApplicationScoped
class OutboxWriter implements Outbox {

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @Inject
    RegisteredHandlers registered;

    @Inject
    RowFactory factory;

    @Inject
    InboxRows inbox;

    @Inject
    CaptureStore store;

    @Inject
    CommitSignal signal;

    @Inject
    OutboxMeters meters;

    @Override
    public UUID publish(Object event, PublishOptions options) {
        requireActiveTransaction();
        registered.require();
        PublishOptions given = options == null ? PublishOptions.none() : options;
        OutboxRow row = factory.row(event, given);
        if (given.id() != null) {
            requireNew(row);
        }
        if (given.key() != null) {
            UUID first = inbox.first(row.type(), given.key(), row.id());
            if (!first.equals(row.id())) {
                return first;
            }
        }
        TransactionRows.current(transaction, store, signal, meters).add(row, DeliveryTime.notBefore(given, row.type()));
        return row.id();
    }

    private void requireNew(OutboxRow row) {
        boolean waits = TransactionRows.begun(transaction)
                .filter(rows -> rows.isWaiting(row.id()))
                .isPresent();
        if (waits || !inbox.isFirstUse(row.id())) {
            throw new OutboxException(
                    "OUTBOX-0145",
                    "an event with the id " + row.id() + " was published before, so this one of type " + row.type()
                            + " was not stored; the transaction can continue. Use another id, or"
                            + " PublishOptions.key(...) if a repetition is to have no effect");
        }
    }

    @Override
    public boolean cancel(UUID id) {
        Objects.requireNonNull(id, "id");
        requireActiveTransaction();
        if (TransactionRows.begun(transaction).filter(rows -> rows.remove(id)).isPresent()) {
            return true;
        }
        try {
            return store.cancel(id);
        } catch (RuntimeException e) {
            // a deadlock may have rolled back what the transaction did before: it must not commit the rest
            OutboxException failure = new OutboxException(
                    "OUTBOX-0119",
                    "the event " + id + " could not be cancelled, and the transaction is marked for rollback: the event"
                            + " stays. " + RepeatAdvice.after(e),
                    e);
            markForRollback(failure);
            throw failure;
        }
    }

    /** Locks the aggregate until the caller's transaction ends. */
    void lock(String aggregateId) {
        requireActiveTransaction();
        try {
            store.lock(aggregateId);
        } catch (RuntimeException e) {
            // a deadlock may have rolled back what the transaction did before: it must not commit the rest
            OutboxException failure = new OutboxException(
                    "OUTBOX-0117",
                    "the aggregate \"" + AddressCheck.shown(aggregateId)
                            + "\" could not be locked, and the transaction is marked for rollback: it stores nothing. "
                            + RepeatAdvice.after(e),
                    e);
            markForRollback(failure);
            throw failure;
        }
    }

    void markForRollback(Throwable failure) {
        RollbackMark.set(transaction, failure);
    }

    /** If so, nothing that is published in this transaction would ever be delivered. */
    boolean isRollbackOnly() {
        return RollbackMark.isSet(transaction);
    }

    /** A call in a lost transaction, such as a retry: its result would look like a success. */
    void requireUnmarked(Method method) {
        if (isRollbackOnly()) {
            throw new OutboxException(
                    "OUTBOX-0102",
                    MethodName.of(method)
                            + " was not called: its transaction was marked for rollback before, so its events would not"
                            + " be stored. Begin a new transaction and repeat the whole transaction there; if a retry"
                            + " made this call, it belongs outside of the transaction",
                    RollbackMark.reason(transaction));
        }
    }

    /** A method may mark its transaction and answer. One that hides a failure of the outbox does not know of the mark. */
    void requireUnmarkedByOutbox(Method method) {
        Throwable reason = RollbackMark.reason(transaction);
        if (reason != null) {
            throw new OutboxException(
                    "OUTBOX-0102",
                    MethodName.of(method)
                            + " returned, but an exception inside of it, which it has hidden (see the cause), has marked"
                            + " the transaction for rollback, so its events are not stored. Let that exception pass,"
                            + " and repeat the whole transaction",
                    reason);
        }
    }

    /** That of the calling thread's transaction. */
    Object transactionKey() {
        return transaction.getTransactionKey();
    }

    /**
     * A method that has ended its transaction and begun another one: what it has written before is not stored together
     * with its events.
     *
     * @param begun the key of the transaction in which the method was called
     */
    void requireSame(Object begun, Method method) {
        if (!begun.equals(transactionKey())) {
            throw new OutboxException(
                    "OUTBOX-0102",
                    MethodName.of(method)
                            + " returned in another transaction than it was called in, so its events are not stored,"
                            + " and the present transaction is marked for rollback. Leave the transaction to the"
                            + " caller, or call Outbox.publish before each commit");
        }
    }

    /** @throws OutboxException that explains what to do */
    void requireActiveTransaction() {
        int status = transaction.getTransactionStatus();
        switch (status) {
            case Status.STATUS_ACTIVE -> {}
            case Status.STATUS_NO_TRANSACTION ->
                throw new OutboxException(
                        "OUTBOX-0101",
                        "no transaction is active, so nothing can be stored or cancelled together with your data: put"
                                + " @Transactional on the method (or make it an EJB, or begin a UserTransaction)");
            case Status.STATUS_MARKED_ROLLBACK ->
                throw new OutboxException(
                        "OUTBOX-0102",
                        "the transaction is marked for rollback, so nothing would be stored or cancelled: do that before"
                                + " the failure, or in a separate transaction",
                        RollbackMark.reason(transaction));
            default ->
                throw new OutboxException(
                        "OUTBOX-0102",
                        "the transaction is already being completed (jakarta.transaction.Status " + status
                                + "), so no event can join it: publish and cancel before the commit");
        }
    }
}
