package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.transaction.RollbackMark;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.store.TransactionalAck;
import jakarta.transaction.Status;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Runs a handler in a transaction that first claims the message's row and finally deletes or updates the claimed row; for
 * a batch, those of all its messages. Finally means last before the commit: also work of observers and synchronizations
 * that run before the completion must not be lost unnoticed.
 * Fault Tolerance may repeat this several times; what counts is how the last transaction ended.
 */
final class TransactionalInvocation {
    private final String handler;
    private final DeliveredRows rows;
    private final Transactions transactions;
    private final TransactionVerdict verdict = new TransactionVerdict();
    private boolean running;
    private Throwable failure;

    /** @param behind the other deliveries of a batch */
    TransactionalInvocation(Delivery delivery, List<Delivery> behind, TransactionalAck ack, Transactions transactions) {
        this.handler = delivery.handler();
        this.rows = DeliveredRows.of(delivery, behind, ack);
        this.transactions = transactions;
    }

    boolean isRunning() {
        return running;
    }

    /** Runs in the caller's transaction, which then ends later, or in a new one if there is none. */
    Object run(Callable<Object> call) throws Exception {
        return tried(() -> transactions.status() == Status.STATUS_NO_TRANSACTION ? inNew(call) : inCallers(call));
    }

    /** Runs without a transaction of the delivery. */
    Object runOutside(Callable<Object> call) throws Exception {
        return tried(call);
    }

    private Object tried(Callable<Object> call) throws Exception {
        running = true;
        failure = null;
        try {
            return call.call();
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            running = false;
        }
    }

    private Object inNew(Callable<Object> call) throws Exception {
        verdict.begins();
        transactions.begin();
        CommitWatch watch;
        Object result;
        try {
            watch = CommitWatch.start(transactions);
            result = claimedAndCalled(call, watch);
        } catch (Throwable failure) {
            boolean interrupted = endInterrupt();
            rollBack(failure);
            if (interrupted) {
                // the next try, or Fault Tolerance before it, ends at once: a call is interrupted only once
                Thread.currentThread().interrupt();
            }
            throw failure;
        }
        try {
            transactions.commit();
        } catch (Throwable failure) {
            verdict.commitFailed(watch);
            if (verdict.refusal() != null) {
                throw verdict.refusal();
            }
            throw failure;
        }
        verdict.committed();
        return result;
    }

    private Object inCallers(Callable<Object> call) throws Exception {
        verdict.begins();
        CommitWatch watch = CommitWatch.start(transactions);
        verdict.joins(watch);
        try {
            return claimedAndCalled(call, watch);
        } catch (Throwable failure) {
            endInterrupt();
            transactions.setRollbackOnly();
            throw failure;
        }
    }

    /** H2 closes its file, and with it the database, if an interrupted thread writes. */
    private static boolean endInterrupt() {
        return Thread.interrupted();
    }

    private Object claimedAndCalled(Callable<Object> call, CommitWatch watch) throws Exception {
        Object transaction = transactions.key();
        RollbackMark mark = transactions.mark();
        claim();
        verdict.called(mark);
        watch.last(this::refuseCommit);
        Object result = call.call();
        // a late interrupt must not break the commit of completed work
        Thread.interrupted();
        requireStillThere(transaction);
        watch.last(this::acknowledgeOrRollBack);
        return result;
    }

    private void claim() {
        try {
            rows.claim();
        } catch (RuntimeException e) {
            verdict.notClaimed(e);
            throw e;
        }
    }

    /** Before the handler has returned: what it does would be stored without the acknowledgement, and again later. */
    private void refuseCommit() {
        refuse(new OutboxException(
                "OUTBOX-0541",
                handler + " tried to commit the transaction of its delivery, which the outbox commits when the handler"
                        + " has returned. It is rolled back: this counts as a failure and nothing is stored. Leave the"
                        + " commit to the outbox; to commit in the handler, annotate the observer with"
                        + " @Transactional(NOT_SUPPORTED) and begin a transaction there"));
    }

    private void acknowledgeOrRollBack() {
        // nor its acknowledgement
        Thread.interrupted();
        try {
            rows.acknowledge();
            verdict.acknowledged();
        } catch (RuntimeException e) {
            refuse(e);
        } catch (Error e) {
            // Payara's commit would leave the connection as it is: neither committed nor rolled back
            refuse(new IllegalStateException("the acknowledgement of " + handler + " ended in an error", e));
        }
    }

    private void refuse(RuntimeException why) {
        verdict.notAcknowledged(why);
        try {
            transactions.setRollbackOnly();
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
        throw why;
    }

    private void requireStillThere(Object transaction) {
        int status = transactions.status();
        if (status != Status.STATUS_ACTIVE || !Objects.equals(transaction, transactions.key())) {
            throw new OutboxException(
                    "OUTBOX-0541",
                    handler + " returned normally but its transaction (status " + status
                            + ") can't be committed: it was"
                            + " marked for rollback, timed out, or was ended by the handler. This counts as a failure"
                            + " and nothing is"
                            + " stored. To signal a failure, throw an exception; to run without the delivery"
                            + " transaction, annotate"
                            + " the observer with @Transactional(NOT_SUPPORTED)");
        }
    }

    private void rollBack(Throwable failure) {
        try {
            if (transactions.status() != Status.STATUS_NO_TRANSACTION) {
                transactions.rollback();
            }
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Why the last try failed, as opposed to why Fault Tolerance made no other one; null if it did not, or if there was
     * none.
     */
    Throwable failure() {
        return failure;
    }

    /** @see TransactionVerdict#rollbackCause */
    RuntimeException rollbackCause() {
        return verdict.rollbackCause();
    }

    /** How the last transaction ended; valid after the whole call. */
    TransactionOutcome outcome() {
        return verdict.outcome();
    }
}
