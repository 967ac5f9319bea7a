package io.outboxed.internal.testkit.standalone;

import io.outboxed.datasource.ConfiguredDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;

/** A server's data source: within a transaction all connections are one, which ends with the transaction. */
final class JtaDataSource extends ConfiguredDataSource {
    private final Transactions transactions;
    private boolean crashWanted;
    private LocalResource delivery;
    private boolean crashed;

    JtaDataSource(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        requireProcess();
        if (!transactions.isActive()) {
            return connect();
        }
        if (transactions.registry().getResource(this) instanceof LocalResource enlisted) {
            return kept(enlisted.connection());
        }
        Connection connection = connect();
        connection.setAutoCommit(false);
        LocalResource resource = resource(connection);
        transactions.enlist(resource);
        transactions.registry().putResource(this, resource);
        transactions.afterCompletion(() -> close(connection));
        return kept(connection);
    }

    /** The delivery that is claimed next does not get through its commit. If its try fails by itself, the next try. */
    synchronized void crashAtCommit() {
        crashWanted = true;
        crashed = false;
    }

    /** Called in the transaction of a delivery, when it has its connection. */
    void deliveryClaimed() {
        LocalResource resource = (LocalResource) transactions.registry().getResource(this);
        synchronized (this) {
            delivery = crashWanted ? resource : null;
        }
    }

    /** @return whether it came to that */
    synchronized boolean endCrash() {
        crashWanted = false;
        delivery = null;
        boolean came = crashed;
        crashed = false;
        return came;
    }

    /** Fault Tolerance would otherwise call the handler of a crashed process once more, and its commit would succeed. */
    private synchronized void requireProcess() throws SQLException {
        if (crashed) {
            throw new SQLException("the test has requested that the process crashes");
        }
    }

    private LocalResource resource(Connection connection) {
        return new LocalResource(connection) {
            @Override
            public void commit(Xid xid, boolean onePhase) throws XAException {
                if (crashesAt(this)) {
                    super.rollback(xid);
                    throw new XAException(XAException.XA_RBROLLBACK);
                }
                super.commit(xid, onePhase);
            }
        };
    }

    private synchronized boolean crashesAt(LocalResource commit) {
        crashed |= commit == delivery;
        return commit == delivery;
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("a connection could not be closed after its transaction", e);
        }
    }

    /** Closing it does nothing: the transaction needs it until its end, which is that of JTA. */
    private static Connection kept(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                JtaDataSource.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    requireNoControl(method, arguments);
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** As JDBC specifies for a connection that takes part in a distributed transaction. */
    private static void requireNoControl(Method method, Object[] arguments) throws SQLException {
        boolean controls = switch (method.getName()) {
            case "commit" -> true;
            // the other one undoes to a savepoint
            case "rollback" -> arguments == null;
            case "setAutoCommit" -> (boolean) arguments[0];
            default -> false;
        };
        if (controls) {
            throw new SQLException(method.getName()
                    + " was called on a connection of a JTA transaction, which a server refuses: the transaction ends"
                    + " with @Transactional or UserTransaction, or with its handler");
        }
    }
}
