package io.outboxed.internal.handlers;

import java.util.function.BooleanSupplier;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * A database that may roll back instead of committing. As the drivers of PostgreSQL and MySQL do for a lost connection, it
 * says nothing about the outcome then: Narayana calls it a heuristic one, and tells synchronizations of a commit.
 */
record RefusedCommits(XAResource database, BooleanSupplier refused) implements XAResource {

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        if (refused.getAsBoolean()) {
            database.rollback(xid);
            throw new XAException(XAException.XAER_RMFAIL);
        }
        database.commit(xid, onePhase);
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        return database.prepare(xid);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        database.rollback(xid);
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        database.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        database.end(xid, flags);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        database.forget(xid);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return other instanceof RefusedCommits same && database.isSameRM(same.database);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return database.recover(flag);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return database.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return database.setTransactionTimeout(seconds);
    }
}
