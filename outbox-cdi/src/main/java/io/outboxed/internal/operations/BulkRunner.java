package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.operations.BulkOperations.OvertakenException;
import io.outboxed.internal.operations.BulkOperations.Running;
import io.outboxed.internal.operations.BulkRetry.Batch;
import io.outboxed.internal.store.DeadLetterPosition;
import io.outboxed.internal.store.jdbc.DeadLetterBatches;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Works on bulk operations. Call it once a second. What an operation has changed is counted in the transaction of each
 * change, so any node can continue where another one has died, and two at the same time change nothing twice.
 */
public final class BulkRunner {
    /** How many operations take turns; the others wait. */
    private static final int AT_ONCE = 10;

    /** What is looked at, in all operations, between two notes of how far one has come. */
    private static final int BATCH = 20;

    /** Other maintenance waits meanwhile. */
    private static final Duration LONGEST = Duration.ofMillis(500);

    private final BulkOperations operations;
    private final DeadLetterBatches letters;
    private final BulkRetry retry;
    private final AuditTrail audit;
    private final Consumer<DeadLetter> discarded;

    BulkRunner(
            BulkOperations operations,
            DeadLetterBatches letters,
            BulkRetry retry,
            AuditTrail audit,
            Consumer<DeadLetter> discarded) {
        this.operations = operations;
        this.letters = letters;
        this.retry = retry;
        this.audit = audit;
        this.discarded = discarded;
    }

    /**
     * Changes as much of each operation as it may change in a second. An operation that fails does not
     * keep the others from continuing.
     */
    public void work() {
        RuntimeException failure = null;
        List<Running> running = operations.running(AT_ONCE);
        for (Running each : running) {
            try {
                work(each.operation(), each.reached(), running.size());
            } catch (OvertakenException e) {
                // another operator has cancelled it, or another node has gone on with it
            } catch (RuntimeException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void work(BulkOperation operation, String reached, int running) {
        long longest = LONGEST.toNanos() / running;
        int most = Math.max(1, BATCH / running);
        long begun = System.nanoTime();
        int left = operation.request().perSecond();
        String last = reached;
        do {
            Batch batch = change(operation, last, Math.min(most, left));
            last = batch.reached();
            if (last == null) {
                operations.complete(operation.id());
                return;
            }
            if (!operations.reached(operation.id(), batch.noted(), last)) {
                return;
            }
            left -= batch.changed();
        } while (left > 0 && System.nanoTime() - begun < longest);
    }

    private Batch change(BulkOperation operation, String after, int limit) {
        BulkRequest request = operation.request();
        ChangeRecorder counting = operations.counting(operation.id());
        return switch (request.kind()) {
            case REPLAY ->
                batch(
                        after,
                        letters.replay(
                                request.filter(),
                                DeadLetterPosition.of(after),
                                limit,
                                request.allowReordering(),
                                counting,
                                DeadLetterChanges.logged(letter -> {}, replayed -> {})));
            case DISCARD -> {
                ChangeRecorder each = audit.each(operation.attribution(), "discard");
                yield batch(
                        after,
                        letters.discard(
                                request.filter(),
                                DeadLetterPosition.of(after),
                                limit,
                                (jdbc, messageId, handler) -> {
                                    counting.record(jdbc, messageId, handler);
                                    each.record(jdbc, messageId, handler);
                                },
                                reported()));
            }
            case RETRY ->
                retry.batch(
                        request.waiting(), after, limit, (from, to) -> operations.reaching(operation.id(), from, to));
        };
    }

    private static Batch batch(String noted, DeadLetterBatches.Batch done) {
        return new Batch(noted, done.last() == null ? null : done.last().text(), done.changed());
    }

    private DeadLetterListener reported() {
        return DeadLetterChanges.logged(OutboxLog::discarded, discarded::accept);
    }
}
