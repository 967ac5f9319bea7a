package io.outboxed.internal.operations;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.CleanupPass;
import io.outboxed.internal.retention.RetentionPolicy;
import io.outboxed.internal.retention.RetiredHandlers;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Deletes old rows on request, as a node does it: batch after batch, beside relays and other cleanups. */
public final class ManualCleanup implements AutoCloseable {
    private final Connections connections;
    private final Cleanup cleanup;
    private final RetiredHandlers handlers;

    ManualCleanup(ConnectionSource source, Dialect dialect, String prefix) {
        this.connections = new Connections(source, dialect, 1);
        this.cleanup = new Cleanup(dialect, prefix);
        this.handlers = new RetiredHandlers(dialect, prefix);
    }

    /** Learns of each batch. */
    @FunctionalInterface
    public interface CleanupListener {
        /**
         * @param pass after the batch
         * @param took how long it took; wait for a while
         */
        void deleted(CleanupPass pass, Duration took);
    }

    /** What {@link #delete} would delete; stops at {@link Cleanup#MAX_COUNTED} rows of a table. */
    public Map<AgedTable, Long> count(RetentionPolicy policy) {
        return connections.autoCommit(jdbc -> cleanup.dryRun(jdbc.connection(), policy));
    }

    /**
     * Each batch is a transaction of its own. The tables take turns, so that many old rows of one hold up no other. Nor
     * does one that can't be cleaned: its error is thrown when the others are done.
     *
     * @param recorder called in the transaction of each batch that deletes something
     * @param listener called after each batch; if it throws, the rest is left alone
     * @return how many old rows of each table are left because others hold them, up to {@link Cleanup#MAX_COUNTED}
     */
    public Map<AgedTable, Long> delete(
            RetentionPolicy policy, BatchRecorder<CleanupPass> recorder, CleanupListener listener) {
        Map<AgedTable, Long> left = new TreeMap<>();
        Failures failures = new Failures();
        Deque<CleanupPass> passes = new ArrayDeque<>();
        policy.ages().keySet().stream()
                .sorted()
                .forEach(table -> failures.attempt(jdbc -> cleanup.begin(
                                jdbc.connection(), table, policy.ages().get(table)))
                        .ifPresent(passes::add));
        while (!passes.isEmpty()) {
            long begun = System.nanoTime();
            CleanupPass before = passes.remove();
            Optional<CleanupPass> after =
                    failures.attempt(jdbc -> cleanup.next(jdbc.connection(), before, policy.batchSize(), recorder));
            if (after.isEmpty()) {
                continue;
            }
            CleanupPass pass = after.get();
            listener.deleted(pass, Duration.ofNanos(System.nanoTime() - begun));
            if (pass.finished()) {
                failures.attempt(jdbc -> cleanup.left(jdbc.connection(), pass))
                        .ifPresent(rows -> left.put(pass.table(), rows));
            } else {
                passes.add(pass);
            }
        }
        failures.throwFirst();
        return left;
    }

    /** Of single tables. */
    private final class Failures {
        private RuntimeException first;

        /** @return empty if it has failed */
        private <T> Optional<T> attempt(Connections.Work<T> work) {
            try {
                return Optional.of(connections.autoCommit(work));
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
                return Optional.empty();
            }
        }

        private void throwFirst() {
            if (first != null) {
                throw first;
            }
        }
    }

    /**
     * Registrations of retired handlers for which nothing waits.
     *
     * @return empty if they were not examined, because there are more than {@link RetiredHandlers#MOST_DELIVERIES}
     *     deliveries
     */
    public Optional<List<HandlerKey>> unusedHandlers() {
        return connections.autoCommit(jdbc -> handlers.dryRun(jdbc.connection()));
    }

    /**
     * Removes one of them, and logs it.
     *
     * @param recorder called in the transaction that removes it
     * @return false if it is active again, or gone, or something waits for it, or there are too many deliveries to
     *     find that out
     */
    public boolean removeUnusedHandler(HandlerKey unused, BatchRecorder<HandlerKey> recorder) {
        boolean removed = connections.autoCommit(jdbc -> handlers.remove(jdbc.connection(), unused, recorder));
        if (removed) {
            OutboxLog.retiredHandlerRemoved(unused.type(), unused.handler());
        }
        return removed;
    }

    @Override
    public void close() {
        connections.close();
    }
}
