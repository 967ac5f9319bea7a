package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.OutboxRow;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rows of one transaction, written as its last statements.
 *
 * <p>Last means after the aggregate's lock has been taken: if rows were written earlier, two transactions could number
 * their events in one order and commit in the other. Servers flush JPA either in normal or in interposed
 * synchronizations. Interposed ones run after the normal ones, and one that is registered while they run comes last. So
 * the first one, called when the commit begins, registers a second one, which writes the rows. Both check the status,
 * because a failed flush may have ended the transaction.
 */
final class TransactionRows {
    private static final Object KEY = new Object();

    private final TransactionSynchronizationRegistry transaction;
    private final RowSink sink;
    private final CommitSignal signal;
    private final OutboxMeters meters;
    private final Set<Integer> shards = new TreeSet<>();
    private final List<String> types = new ArrayList<>();
    private List<OutboxRow> waiting = new ArrayList<>();
    private boolean written;

    private TransactionRows(
            TransactionSynchronizationRegistry transaction, RowSink sink, CommitSignal signal, OutboxMeters meters) {
        this.transaction = transaction;
        this.sink = sink;
        this.signal = signal;
        this.meters = meters;
    }

    /** The rows of the calling thread's active transaction. */
    static TransactionRows current(
            TransactionSynchronizationRegistry transaction, RowSink sink, CommitSignal signal, OutboxMeters meters) {
        if (transaction.getResource(KEY) instanceof TransactionRows begun) {
            return begun;
        }
        TransactionRows rows = new TransactionRows(transaction, sink, signal, meters);
        transaction.registerInterposedSynchronization(rows.new AtCommit());
        transaction.putResource(KEY, rows);
        return rows;
    }

    /** An event that is published after the rows were written, by a later synchronization, is written immediately. */
    void add(OutboxRow row) {
        shards.add(row.shard());
        types.add(row.type());
        if (written) {
            write(List.of(row));
        } else {
            waiting.add(row);
        }
    }

    private void writeWaiting() {
        List<OutboxRow> rows = waiting;
        waiting = List.of();
        written = true;
        if (isActive()) {
            write(rows);
        }
    }

    private void write(List<OutboxRow> rows) {
        try {
            sink.write(rows);
        } catch (RuntimeException e) {
            throw new OutboxException(
                    "OUTBOX-0113",
                    rows.size()
                            + " outbox rows could not be written at the end of the transaction, which must roll back: "
                            + "nothing of it is stored or delivered; the cause has the database's error",
                    e);
        }
    }

    private void wakeRelay(Set<Integer> committed) {
        try {
            signal.committed(committed);
        } catch (RuntimeException e) {
            OutboxLog.wakeUpFailed(committed, e);
        }
    }

    private boolean isActive() {
        return transaction.getTransactionStatus() == Status.STATUS_ACTIVE;
    }

    private final class AtCommit implements Synchronization {
        @Override
        public void beforeCompletion() {
            if (isActive()) {
                transaction.registerInterposedSynchronization(new Last());
            }
        }

        @Override
        public void afterCompletion(int status) {
            waiting = List.of();
            if (status == Status.STATUS_COMMITTED && !shards.isEmpty()) {
                wakeRelay(Set.copyOf(shards));
                types.forEach(meters::stored);
            }
        }
    }

    private final class Last implements Synchronization {
        @Override
        public void beforeCompletion() {
            writeWaiting();
        }

        @Override
        public void afterCompletion(int status) {
            // nothing to do: the first synchronization cleans up, and is called after a rollback as well
        }
    }
}
