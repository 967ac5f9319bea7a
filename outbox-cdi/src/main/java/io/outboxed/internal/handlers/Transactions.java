package io.outboxed.internal.handlers;

import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;

/** The calling thread's JTA transaction. */
interface Transactions {

    /** For all transactions that this thread begins from now on; 0 = the server's default. */
    void timeout(int seconds) throws SystemException;

    void begin() throws SystemException;

    /** @throws Exception whatever JTA says */
    void commit() throws Exception;

    void rollback() throws SystemException;

    void setRollbackOnly();

    /** A constant of {@code jakarta.transaction.Status}. */
    int status();

    /** Equal for the same transaction; null without one. */
    Object key();

    /** Called around the end of the current transaction. */
    void listen(Synchronization synchronization);
}
