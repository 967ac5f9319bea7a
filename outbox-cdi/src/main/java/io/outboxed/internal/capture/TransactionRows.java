package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.transaction.BeforeCommit;
import io.outboxed.internal.capture.transaction.RollbackMark;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.signal.CommitSignal;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The rows of one transaction, written as its last statements.
 *
 * <p>Last means after the aggregate's lock has been taken: if rows were written earlier, two transactions could number
 * their events in one order and commit in the other.
 *
 * <p>Thread-safe: a transaction that is over time is ended by another thread, and some servers let several threads work
 * in one.
 */
final class TransactionRows {
    private static final Object KEY = new Object();

    private final TransactionSynchronizationRegistry transaction;
    private final CaptureStore store;
    private final CommitSignal signal;
    private final OutboxMeters meters;
    private final Set<Integer> shards = new TreeSet<>();
    private final List<String> types = new ArrayList<>();
    /** The ids of those that wait. */
    private final Set<UUID> ids = new HashSet<>();

    private List<Waiting> waiting = new ArrayList<>();
    private boolean written;
    private boolean ended;

    private TransactionRows(
            TransactionSynchronizationRegistry transaction,
            CaptureStore store,
            CommitSignal signal,
            OutboxMeters meters) {
        this.transaction = transaction;
        this.store = store;
        this.signal = signal;
        this.meters = meters;
    }

    /** @param notBefore when the event may be delivered, 0 for none; a delay depends on when its row is written */
    private record Waiting(OutboxRow row, long notBefore) {}

    /** The rows of the calling thread's transaction, if it has any. */
    static Optional<TransactionRows> begun(TransactionSynchronizationRegistry transaction) {
        return transaction.getResource(KEY) instanceof TransactionRows begun ? Optional.of(begun) : Optional.empty();
    }

    /** The rows of the calling thread's active transaction. */
    static TransactionRows current(
            TransactionSynchronizationRegistry transaction,
            CaptureStore store,
            CommitSignal signal,
            OutboxMeters meters) {
        return begun(transaction).orElseGet(() -> {
            synchronized (KEY) {
                return begun(transaction).orElseGet(() -> begin(transaction, store, signal, meters));
            }
        });
    }

    private static TransactionRows begin(
            TransactionSynchronizationRegistry transaction,
            CaptureStore store,
            CommitSignal signal,
            OutboxMeters meters) {
        TransactionRows rows = new TransactionRows(transaction, store, signal, meters);
        BeforeCommit.last(transaction, rows::writeWaiting, rows::end);
        transaction.putResource(KEY, rows);
        return rows;
    }

    /** The rows of the calling thread's transaction that are not written yet. */
    static List<OutboxRow> waiting(TransactionSynchronizationRegistry transaction) {
        return transaction.getTransactionStatus() != Status.STATUS_NO_TRANSACTION
                        && transaction.getResource(KEY) instanceof TransactionRows begun
                ? begun.waiting()
                : List.of();
    }

    private synchronized List<OutboxRow> waiting() {
        return waiting.stream().map(Waiting::row).toList();
    }

    /** An event that is published after the rows were written, by a later synchronization, is written immediately. */
    void add(OutboxRow row, long notBefore) {
        Waiting added = new Waiting(row, notBefore);
        if (!addToWaiting(added)) {
            write(List.of(added));
        }
    }

    /** @return false if the rows are written */
    private synchronized boolean addToWaiting(Waiting added) {
        requireNotEnded("the event " + added.row().type() + " was published");
        if (written) {
            return false;
        }
        ids.add(added.row().id());
        return waiting.add(added);
    }

    /** @return false if there is no such row, or it is written */
    synchronized boolean remove(UUID id) {
        requireNotEnded("the event " + id + " was cancelled");
        return ids.remove(id) && waiting.removeIf(each -> each.row().id().equals(id));
    }

    synchronized boolean isWaiting(UUID id) {
        return ids.contains(id);
    }

    /** Another thread may have ended it: a transaction whose time is over. */
    private void requireNotEnded(String meanwhile) {
        if (ended) {
            throw new OutboxException(
                    "OUTBOX-0102",
                    "the transaction ended while " + meanwhile
                            + ", probably because of its timeout, so nothing of it is stored: retry the whole"
                            + " transaction");
        }
    }

    private void writeWaiting() {
        List<Waiting> rows = takeWaiting();
        if (!rows.isEmpty()) {
            write(rows);
        }
    }

    private synchronized List<Waiting> takeWaiting() {
        List<Waiting> rows = waiting;
        waiting = List.of();
        ids.clear();
        written = true;
        return rows;
    }

    private void write(List<Waiting> rows) {
        try {
            store.write(scheduled(rows));
        } catch (RuntimeException e) {
            // a deadlock has rolled back what the transaction did before
            RollbackMark.set(transaction, e);
            throw new OutboxException(
                    "OUTBOX-0113",
                    Counted.of(rows.size(), "outbox row")
                            + " could not be written at the end of the transaction, which is marked for rollback:"
                            + " nothing of it is stored or delivered; see the cause for the database's error",
                    e);
        } catch (Error e) {
            RollbackMark.set(transaction, e);
            throw e;
        }
    }

    private List<OutboxRow> scheduled(List<Waiting> rows) {
        remember(rows);
        if (rows.stream().allMatch(each -> each.notBefore() == 0)) {
            return rows.stream().map(Waiting::row).toList();
        }
        long now = store.now();
        return rows.stream()
                .map(each -> DeliveryTime.scheduled(each.row(), each.notBefore(), now))
                .toList();
    }

    private synchronized void remember(List<Waiting> rows) {
        rows.forEach(each -> {
            shards.add(each.row().shard());
            types.add(each.row().type());
        });
    }

    private void end(int status) {
        forgetWaiting();
        if (status == Status.STATUS_COMMITTED && !shards.isEmpty()) {
            wakeRelay(Set.copyOf(shards));
            types.forEach(meters::stored);
        }
    }

    private synchronized void forgetWaiting() {
        ended = true;
        waiting = List.of();
        ids.clear();
    }

    private void wakeRelay(Set<Integer> committed) {
        try {
            signal.committed(committed);
        } catch (RuntimeException e) {
            OutboxLog.wakeUpFailed(committed, e);
        }
    }
}
