package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.operations.BulkOperations.EndedException;
import io.outboxed.internal.operations.BulkOperations.Running;
import io.outboxed.internal.store.DeadLetterKey;
import io.outboxed.internal.store.jdbc.DeadLetterParts;
import io.outboxed.internal.store.jdbc.DeadLetterParts.Part;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Progress;
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
    private static final int PART = 20;

    /** Other maintenance waits meanwhile. */
    private static final Duration LONGEST = Duration.ofMillis(500);

    private final BulkOperations operations;
    private final DeadLetterParts letters;
    private final AuditTrail audit;
    private final Consumer<DeadLetter> discarded;

    BulkRunner(BulkOperations operations, DeadLetterParts letters, AuditTrail audit, Consumer<DeadLetter> discarded) {
        this.operations = operations;
        this.letters = letters;
        this.audit = audit;
        this.discarded = discarded;
    }

    /**
     * Changes as many dead letters of each operation as it may change in a second. An operation that fails does not
     * keep the others from continuing.
     */
    public void work() {
        RuntimeException failure = null;
        List<Running> running = operations.running(AT_ONCE);
        for (Running each : running) {
            try {
                work(each.operation(), each.reached(), running.size());
            } catch (EndedException e) {
                // another operator has cancelled it, or another node has completed it
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

    private void work(BulkOperation operation, DeadLetterKey reached, int running) {
        long longest = LONGEST.toNanos() / running;
        int most = Math.max(1, PART / running);
        long begun = System.nanoTime();
        int left = operation.request().perSecond();
        DeadLetterKey last = reached;
        do {
            Part part = change(operation, last, Math.min(most, left));
            last = part.last();
            if (last == null) {
                operations.complete(operation.id());
                return;
            }
            if (!operations.reached(operation.id(), last)) {
                return;
            }
            left -= part.changed();
        } while (left > 0 && System.nanoTime() - begun < longest);
    }

    private Part change(BulkOperation operation, DeadLetterKey after, int limit) {
        BulkRequest request = operation.request();
        ChangeRecorder counting = operations.counting(operation.id());
        if (request.kind() == Kind.REPLAY) {
            return letters.replay(
                    request.filter(),
                    after,
                    limit,
                    request.acceptOrder(),
                    counting,
                    DeadLetterChanges.logged(letter -> {}, replayed -> {}));
        }
        ChangeRecorder each = audit.each(operation.attribution(), "discard");
        return letters.discard(
                request.filter(),
                after,
                limit,
                (jdbc, messageId, handler) -> {
                    counting.record(jdbc, messageId, handler);
                    each.record(jdbc, messageId, handler);
                },
                reported());
    }

    private Progress reported() {
        return DeadLetterChanges.logged(OutboxLog::discarded, discarded::accept);
    }
}
