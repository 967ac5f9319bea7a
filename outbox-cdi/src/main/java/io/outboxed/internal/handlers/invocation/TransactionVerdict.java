package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.transaction.RollbackMark;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.handlers.invocation.CommitWatch.Completion;
import io.outboxed.internal.store.ClaimLostException;

/**
 * How did the last transaction of a delivery end? Two facts decide: how far the delivery came in it, and how it was
 * completed. It begins the transaction itself, or joins another one, which its owner completes.
 */
final class TransactionVerdict {

    /** How far the delivery came. */
    private sealed interface Progress {}

    /** Whatever becomes of the transaction. */
    private record NotCalled(TransactionOutcome outcome) implements Progress {}

    /** It failed, or nothing has acknowledged it so far. */
    private record Called() implements Progress {}

    /** Its acknowledgement failed, and has marked the transaction for rollback. */
    private record Refused(RuntimeException why, TransactionOutcome outcome) implements Progress {}

    private record Acknowledged() implements Progress {}

    private Progress progress = new NotCalled(TransactionOutcome.NONE);
    private Completion completion = Completion.ROLLED_BACK;
    /** Completes later; null if the delivery has begun the transaction itself. */
    private CommitWatch joined;

    private RollbackMark mark;
    /** The handler was called in this transaction or in an earlier one. */
    private boolean everCalled;

    /** In another transaction. Unless it is committed, it is rolled back. */
    void begins() {
        progress = new NotCalled(withoutCall());
        completion = Completion.ROLLED_BACK;
        joined = null;
        mark = null;
    }

    void joins(CommitWatch watch) {
        joined = watch;
    }

    void notClaimed(RuntimeException why) {
        if (why instanceof ClaimLostException) {
            progress = new NotCalled(TransactionOutcome.LOST);
        } else if (why instanceof StoreException e && !e.isTransient()) {
            progress = new NotCalled(TransactionOutcome.UNKNOWN);
        }
    }

    private TransactionOutcome withoutCall() {
        return everCalled ? TransactionOutcome.UNKNOWN : TransactionOutcome.NOT_BEGUN;
    }

    /** @param ofTransaction shows later why it was marked for rollback */
    void called(RollbackMark ofTransaction) {
        progress = new Called();
        mark = ofTransaction;
        everCalled = true;
    }

    void acknowledged() {
        progress = new Acknowledged();
    }

    void notAcknowledged(RuntimeException why) {
        progress = new Refused(why, refused(why));
    }

    private static TransactionOutcome refused(RuntimeException why) {
        if (why instanceof ClaimLostException) {
            return TransactionOutcome.LOST;
        }
        return why instanceof StoreException e && e.isTransient()
                ? TransactionOutcome.UNKNOWN
                : TransactionOutcome.ROLLED_BACK;
    }

    void committed() {
        completion = Completion.COMMITTED;
    }

    void commitFailed(CommitWatch watch) {
        // after a heuristic outcome Narayana tells synchronizations of a commit as well
        completion = progress instanceof Acknowledged ? Completion.IN_DOUBT : watch.completion();
    }

    /** Valid after the whole call. */
    TransactionOutcome outcome() {
        if (joined == null) {
            return outcome(completion);
        }
        TransactionOutcome outcome = outcome(joined.completion());
        return outcome == TransactionOutcome.ROLLED_BACK ? TransactionOutcome.ALL_ROLLED_BACK : outcome;
    }

    private TransactionOutcome outcome(Completion how) {
        if (progress instanceof NotCalled without) {
            return without.outcome();
        }
        if (progress instanceof Acknowledged) {
            // the commit was on its way, and after a failure only the database knows
            return how == Completion.COMMITTED ? TransactionOutcome.COMMITTED : TransactionOutcome.UNKNOWN;
        }
        if (how == Completion.COMMITTED) {
            // a transaction manager may commit although it has not called what was to be done before
            return TransactionOutcome.UNKNOWN;
        }
        if (progress instanceof Refused refused) {
            return refused.outcome();
        }
        // a joined transaction that has not reached the acknowledgement has not reached its commit
        if (how == Completion.IN_DOUBT && joined == null) {
            return TransactionOutcome.UNKNOWN;
        }
        return silentRollback() == null ? TransactionOutcome.ROLLED_BACK : TransactionOutcome.LOST;
    }

    /** Why the delivery could not acknowledge what the handler did; null if it did, or did not come so far. */
    RuntimeException refusal() {
        return progress instanceof Refused refused ? refused.why() : null;
    }

    /** The refusal, or that the database has rolled back silently; null if it was something else, or not rolled back. */
    RuntimeException rollbackCause() {
        return progress instanceof Refused refused ? refused.why() : silentRollback();
    }

    /** That the database has rolled back rows of the inbox has been noticed before the acknowledgement could notice it. */
    private OutboxException silentRollback() {
        return mark != null
                        && mark.reason() instanceof OutboxException e
                        && e.code().equals("OUTBOX-0148")
                ? e
                : null;
    }
}
