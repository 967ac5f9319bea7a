package io.outboxed.internal.handlers;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A resource whose commit fails as a lost connection does. */
final class NoAnswer implements XAResource {

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        throw new XAException(XAException.XAER_RMFAIL);
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        throw new XAException(XAException.XAER_RMFAIL);
    }

    @Override
    public void rollback(Xid xid) {}

    @Override
    public void start(Xid xid, int flags) {}

    @Override
    public void end(Xid xid, int flags) {}

    @Override
    public void forget(Xid xid) {}

    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }

    @Override
    public Xid[] recover(int flag) {
        return new Xid[0];
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }
}
