package io.outboxed.internal.handlers.invocation;

import io.outboxed.internal.capture.transaction.RollbackMark;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;

/** The calling thread's JTA transaction. */
public interface Transactions {

    /** Applies to all transactions that this thread begins from now on; 0 = the server's default. */
    void timeout(int seconds) throws SystemException;

    void begin() throws SystemException;

    /** @throws Exception any exception of JTA */
    void commit() throws Exception;

    void rollback() throws SystemException;

    void setRollbackOnly();

    /** A constant of {@code jakarta.transaction.Status}. */
    int status();

    /** Equal for the same transaction; null if there is none. */
    Object key();

    /** Why the outbox marks the calling thread's transaction for rollback; can be asked after the transaction's end. */
    RollbackMark mark();

    /** Registers a synchronization with the current transaction. */
    void listen(Synchronization synchronization);
}
