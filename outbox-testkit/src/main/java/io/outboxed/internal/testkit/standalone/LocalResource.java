package io.outboxed.internal.testkit.standalone;

import java.sql.Connection;
import java.sql.SQLException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A connection as the only resource of its transaction. */
class LocalResource implements XAResource {
    private final Connection connection;

    LocalResource(Connection connection) {
        this.connection = connection;
    }

    final Connection connection() {
        return connection;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw failed(XAException.XA_RBROLLBACK, e);
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw failed(XAException.XAER_RMERR, e);
        }
    }

    private static XAException failed(int code, SQLException cause) {
        XAException failure = new XAException(code);
        failure.initCause(cause);
        return failure;
    }

    @Override
    public int prepare(Xid xid) {
        return XA_OK;
    }

    @Override
    public void start(Xid xid, int flags) {
        // the connection is in its transaction from the start
    }

    @Override
    public void end(Xid xid, int flags) {
        // it stays there until commit or rollback
    }

    @Override
    public void forget(Xid xid) {
        // nothing is decided heuristically
    }

    @Override
    public Xid[] recover(int flag) {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return this == other;
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
