package io.outboxed.internal.capture;

import io.outboxed.Outbox;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import io.outboxed.internal.database.RetryAdvice;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.signal.CommitSignal;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Objects;
import java.util.UUID;

/** Entry point for every published event: checks it, builds its row, and adds the row to the caller's transaction. */
@ApplicationScoped
class OutboxBean implements Outbox {

    @Inject
    CallerTransaction transaction;

    @Inject
    RegistrationCheck registered;

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
        TransactionRows.current(transaction.registry(), store, signal, meters)
                .add(row, DeliveryTime.notBefore(given, row.type()));
        return row.id();
    }

    private void requireNew(OutboxRow row) {
        boolean waits = TransactionRows.begun(transaction.registry())
                .filter(rows -> rows.isWaiting(row.id()))
                .isPresent();
        if (waits || !inbox.isFirstUse(row.id())) {
            throw new OutboxException(
                    "OUTBOX-0145",
                    "an event with the id " + row.id() + " was published before, so this one of type " + row.type()
                            + " was not stored; the transaction can continue. Use another id, or"
                            + " PublishOptions.key(...) if publishing it again should have no effect");
        }
    }

    @Override
    public boolean cancel(UUID id) {
        Objects.requireNonNull(id, "id");
        requireActiveTransaction();
        if (TransactionRows.begun(transaction.registry())
                .filter(rows -> rows.remove(id))
                .isPresent()) {
            return true;
        }
        return transaction.orMark(
                () -> store.cancel(id),
                e -> new OutboxException(
                        "OUTBOX-0119",
                        "the event " + id
                                + " could not be cancelled, and the transaction is marked for rollback: the event"
                                + " stays. " + RetryAdvice.after(e),
                        e));
    }

    /** Locks the aggregate until the caller's transaction ends. */
    void lock(String aggregateId) {
        requireActiveTransaction();
        transaction.orMark(
                () -> {
                    store.lock(aggregateId);
                    return aggregateId;
                },
                e -> new OutboxException(
                        "OUTBOX-0117",
                        "the aggregate \"" + AddressCheck.shown(aggregateId)
                                + "\" could not be locked, and the transaction is marked for rollback: it stores"
                                + " nothing. " + RetryAdvice.after(e),
                        e));
    }

    /** @throws OutboxException that explains what to do */
    void requireActiveTransaction() {
        transaction.requireActive(
                () -> new OutboxException(
                        "OUTBOX-0101",
                        "no transaction is active, so nothing can be stored or cancelled together with your data: put"
                                + " @Transactional on the method (or make it an EJB, or begin a UserTransaction)"),
                reason -> new OutboxException(
                        "OUTBOX-0102",
                        "the transaction is marked for rollback, so nothing would be stored or cancelled: publish or"
                                + " cancel before the failure, or in a separate transaction",
                        reason),
                status -> new OutboxException(
                        "OUTBOX-0102",
                        "the transaction is already being completed (jakarta.transaction.Status " + status
                                + "), so no event can join it: publish and cancel before the commit"));
    }
}
