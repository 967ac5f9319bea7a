package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.transaction.RollbackMark;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.TransactionalAck;
import jakarta.transaction.Status;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Runs a handler in a transaction that first claims the message's row and finally deletes or updates the claimed row; for
 * a batch, those of all its messages. Finally means last before the commit: also work of observers and synchronizations
 * that run before the completion must not be lost unnoticed.
 * Fault Tolerance may repeat this several times; what counts is how the last transaction ended.
 */
final class TransactionalInvocation {

    /** How the last transaction ended. */
    enum End {
        /** There was no transaction. */
        NONE,
        COMMITTED,
        ROLLED_BACK,
        /** The transaction was begun by the observer's own annotation: everything after it is rolled back as well. */
        ALL_ROLLED_BACK,
        /** The row had changed since it was read. */
        LOST,
        /** It could not begin, or could not claim the row now: the handler was not called, not in an earlier one either. */
        NOT_BEGUN,
        /** The commit got no answer, or the claim was refused. */
        UNKNOWN
    }

    private final Delivery delivery;
    /** The rows of a batch of several; empty: only that of the delivery. */
    private final List<MessageHead> batch;

    private final TransactionalAck ack;
    private final Transactions transactions;
    private End end = End.NONE;
    private CommitWatch joined;
    /** Of the last transaction. */
    private RollbackMark mark;

    private boolean acknowledged;
    private boolean running;
    /** The handler was called in this transaction or in an earlier one. */
    private boolean called;

    private Throwable failure;
    /** Why the last transaction could not acknowledge. */
    private RuntimeException refusal;

    /** @param behind the other deliveries of a batch */
    TransactionalInvocation(Delivery delivery, List<Delivery> behind, TransactionalAck ack, Transactions transactions) {
        this.delivery = delivery;
        this.batch = behind.isEmpty()
                ? List.of()
                : Stream.concat(Stream.of(delivery), behind.stream())
                        .map(Delivery::head)
                        .toList();
        this.ack = ack;
        this.transactions = transactions;
    }

    boolean isRunning() {
        return running;
    }

    /** Runs in the caller's transaction, which then ends later, or in a new one if there is none. */
    Object run(Callable<Object> handler) throws Exception {
        return tried(() -> transactions.status() == Status.STATUS_NO_TRANSACTION ? inNew(handler) : inCallers(handler));
    }

    /** Runs without a transaction of the delivery. */
    Object runOutside(Callable<Object> handler) throws Exception {
        return tried(handler);
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

    private Object inNew(Callable<Object> handler) throws Exception {
        joined = null;
        forgetLast();
        transactions.begin();
        CommitWatch watch;
        Object result;
        try {
            watch = CommitWatch.start(transactions);
            result = claimedAndCalled(handler, watch);
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
            if (refusal != null) {
                throw refusal;
            }
            end = watch.committed() ? committed() : watch.rolledBack() ? rolledBack() : End.UNKNOWN;
            throw failure;
        }
        end = committed();
        return result;
    }

    private void forgetLast() {
        end = notCalled();
        mark = null;
        refusal = null;
        acknowledged = false;
    }

    /** A transaction manager may commit although it has not called what was to be done before. */
    private End committed() {
        return acknowledged ? End.COMMITTED : End.UNKNOWN;
    }

    private End rolledBack() {
        return silentRollback() == null ? End.ROLLED_BACK : End.LOST;
    }

    /** That the database has rolled back rows of the inbox has been noticed before the acknowledgement could notice it. */
    private OutboxException silentRollback() {
        return mark != null
                        && mark.reason() instanceof OutboxException e
                        && e.code().equals("OUTBOX-0148")
                ? e
                : null;
    }

    private Object inCallers(Callable<Object> handler) throws Exception {
        forgetLast();
        joined = CommitWatch.start(transactions);
        try {
            return claimedAndCalled(handler, joined);
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

    private Object claimedAndCalled(Callable<Object> handler, CommitWatch watch) throws Exception {
        Object transaction = transactions.key();
        mark = transactions.mark();
        claim();
        called = true;
        end = End.ROLLED_BACK;
        Object result = handler.call();
        // a late interrupt must not break the commit of completed work
        Thread.interrupted();
        requireStillThere(transaction);
        watch.last(this::acknowledgeOrRollBack);
        return result;
    }

    private End notCalled() {
        return called ? End.UNKNOWN : End.NOT_BEGUN;
    }

    private void claim() {
        try {
            if (batch.isEmpty()) {
                ack.claim(delivery.head());
            } else {
                ack.claim(batch);
            }
        } catch (ClaimLostException e) {
            end = End.LOST;
            throw e;
        } catch (StoreException e) {
            end = e.isTransient() ? notCalled() : End.UNKNOWN;
            throw e;
        }
    }

    private void acknowledgeOrRollBack() {
        // nor its acknowledgement
        Thread.interrupted();
        try {
            acknowledge();
            acknowledged = true;
        } catch (RuntimeException e) {
            refuse(e);
        } catch (Error e) {
            // Payara's commit would leave the connection as it is: neither committed nor rolled back
            refuse(new IllegalStateException("the acknowledgement of " + delivery.handler() + " ended in an error", e));
        }
    }

    private void refuse(RuntimeException why) {
        refusal = why;
        markRolledBack(why);
        throw why;
    }

    private void markRolledBack(RuntimeException failure) {
        try {
            transactions.setRollbackOnly();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void acknowledge() {
        try {
            if (batch.isEmpty()) {
                ack.acknowledge(delivery.head(), delivery.handler(), delivery.ackMode());
            } else {
                ack.acknowledge(batch, delivery.handler());
            }
        } catch (ClaimLostException e) {
            end = End.LOST;
            throw e;
        } catch (StoreException e) {
            end = e.isTransient() ? End.UNKNOWN : End.ROLLED_BACK;
            throw e;
        }
    }

    private void requireStillThere(Object transaction) {
        int status = transactions.status();
        if (status != Status.STATUS_ACTIVE || !Objects.equals(transaction, transactions.key())) {
            throw new OutboxException(
                    "OUTBOX-0541",
                    delivery.handler() + " returned normally but its transaction (status " + status
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

    /** Why the last transaction could not acknowledge what the handler did; null if it did, or did not come so far. */
    RuntimeException refusal() {
        return refusal == null ? silentRollback() : refusal;
    }

    /** How the last transaction ended; valid after the whole call. */
    End end() {
        if (joined == null || end == End.LOST || end == End.UNKNOWN) {
            return end;
        }
        if (acknowledged || joined.committed()) {
            return joined.committed() ? committed() : joined.rolledBack() ? End.ALL_ROLLED_BACK : End.UNKNOWN;
        }
        if (end == End.ROLLED_BACK) {
            return silentRollback() == null ? End.ALL_ROLLED_BACK : End.LOST;
        }
        return end;
    }
}
