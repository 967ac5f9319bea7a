package io.outboxed.datasource;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection that reopens itself between two transactions if its driver has closed it because of a database outage.
 * WildFly's pool of a {@code @DataSourceDefinition} does not validate its connections and can't be configured to: it
 * would keep returning dead ones (seen on 39.0.1.Final, {@code OutageIT}). Within a transaction a dead connection stays
 * dead, so that its commit fails.
 *
 * <p>A driver notices a dead connection only when it uses it. So once one connection of a data source was dead, each of
 * the others is checked once before its next transaction: otherwise each of them would fail one.
 *
 * <p>A connection with a network timeout is not reopened: whoever sets that, as the relay does on connections that it
 * borrows, has also set limits by SQL, which a new connection would not have. Neither is one whose pool keeps statements
 * open, to use them again (Open Liberty's does): such a statement may have worked in a transaction that has called
 * nothing here yet.
 *
 * <p>After a write was refused as read-only, the connection is closed when its transaction ends: after a switchover, the
 * next one reaches the new primary, whereas the pool considers the connection to the old one healthy. A read-only
 * transaction of the application costs a reconnect too.
 */
final class ReconnectingConnection implements InvocationHandler {
    private static final Set<String> SETTINGS =
            Set.of("setAutoCommit", "setTransactionIsolation", "setReadOnly", "setCatalog", "setSchema");
    private static final Set<String> STATEMENTS = Set.of("createStatement", "prepareStatement", "prepareCall");

    /** Who sets a limit for the network remembers the one before it. */
    private static final Set<String> FIRST_OF_BORROWERS = Set.of("getNetworkTimeout");

    private static final String PAYARAS_TRANSACTION = "com.sun.gjc.spi.LocalTransactionImpl";
    private static final int SECONDS_TO_ANSWER = 5;

    private final Opening opening;
    /** How often a connection of this data source was found dead. */
    private final AtomicLong outages;

    private final Map<Method, Object[]> settings = new LinkedHashMap<>();
    private Connection current;
    private long outagesChecked;
    private boolean atWork;
    private boolean limited;
    /** A write was refused as read-only. */
    private boolean readOnly;
    /** The pool believes that the connection is in auto-commit mode. */
    private boolean autoCommitBelieved;
    /** Those that are neither closed nor garbage-collected. */
    private final Set<Statement> opened = Collections.newSetFromMap(new WeakHashMap<>());

    private boolean keepsStatements;
    private volatile boolean closed;

    @FunctionalInterface
    interface Opening {
        Connection open() throws SQLException;
    }

    private ReconnectingConnection(Opening opening, AtomicLong outages) throws SQLException {
        this.opening = opening;
        this.outages = outages;
        this.outagesChecked = outages.get();
        this.current = opening.open();
    }

    /** @param outages the same for all connections of a data source */
    static Connection of(Opening opening, AtomicLong outages) throws SQLException {
        return (Connection) Proxy.newProxyInstance(
                ReconnectingConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new ReconnectingConnection(opening, outages));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        switch (name) {
            case "equals" -> {
                return proxy == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            case "close" -> noteClose();
            case "setNetworkTimeout" -> limited = false;
            default -> {}
        }
        boolean inTransaction = transactional();
        try {
            if (SETTINGS.contains(name) || STATEMENTS.contains(name) || FIRST_OF_BORROWERS.contains(name)) {
                replaceIfDead();
            }
            Object answer = call(current, method, arguments);
            if (SETTINGS.contains(name)) {
                settings.put(method, arguments);
                autoCommitBelieved &= !name.equals("setAutoCommit");
            } else if (answer instanceof Statement statement) {
                forgetClosed();
                opened.add(statement);
                return WatchedStatement.of(statement, this::noteReadOnly);
            } else if (name.equals("setNetworkTimeout")) {
                limited = (int) arguments[1] > 0;
            }
            return answer;
        } catch (SQLException e) {
            readOnly |= WatchedStatement.isReadOnly(e);
            if (isOfPayarasTransaction()) {
                // Payara's pool begins each transaction by setting the mode, and takes each end for done
                autoCommitBelieved = true;
            } else if (name.equals("setAutoCommit")) {
                // WildFly's pool assumes that this is done: without it, a transaction would begin in auto-commit mode
                settings.put(method, new Object[] {false});
            }
            throw e;
        } finally {
            noteWork(name, arguments, inTransaction);
        }
    }

    private void replaceIfDead() throws Throwable {
        if (atWork || limited || keepsStatements || closed || !isDead()) {
            return;
        }
        Connection fresh = opening.open();
        if (autoCommitBelieved) {
            settings.keySet().removeIf(setting -> setting.getName().equals("setAutoCommit"));
            autoCommitBelieved = false;
        }
        try {
            for (Map.Entry<Method, Object[]> setting : settings.entrySet()) {
                call(fresh, setting.getKey(), setting.getValue());
            }
        } catch (Throwable e) {
            fresh.close();
            throw e;
        }
        if (!replaced(fresh)) {
            fresh.close();
        }
    }

    /** Its owner may close it while another thread waits for the database; the new connection would stay open. */
    private synchronized boolean replaced(Connection fresh) {
        if (!closed) {
            current = fresh;
            opened.clear();
        }
        return !closed;
    }

    private synchronized void noteClose() {
        closed = true;
    }

    private void noteReadOnly() {
        readOnly = true;
        if (!transactional()) {
            abortIfReadOnly();
        }
    }

    /** Closing is not enough for one that is lent by another pool. */
    private void abortIfReadOnly() {
        if (readOnly) {
            readOnly = false;
            try (Connection useless = current) {
                useless.abort(Runnable::run);
            } catch (SQLException e) {
                // it is not used again
            }
        }
    }

    private boolean isDead() throws SQLException {
        if (current.isClosed()) {
            outagesChecked = outages.incrementAndGet();
            return true;
        }
        long found = outages.get();
        boolean dead = found != outagesChecked && !current.isValid(SECONDS_TO_ANSWER);
        outagesChecked = found;
        if (dead) {
            // some drivers leave it open
            current.close();
        }
        return dead;
    }

    /** A commit or rollback ends the work, even if it fails; the pool gets the exception. */
    private void noteWork(String name, Object[] arguments, boolean wasTransactional) throws SQLException {
        // the same mode once more does not end a transaction
        boolean changesMode = name.equals("setAutoCommit") && !(wasTransactional && arguments[0].equals(false));
        if (changesMode || arguments == null && (name.equals("commit") || name.equals("rollback"))) {
            atWork = false;
            forgetClosed();
            keepsStatements = !opened.isEmpty();
            abortIfReadOnly();
        } else if (STATEMENTS.contains(name)) {
            atWork = transactional();
        }
    }

    /** What is open when a transaction ends is open because the pool keeps it. */
    private void forgetClosed() throws SQLException {
        for (Iterator<Statement> each = opened.iterator(); each.hasNext(); ) {
            if (each.next().isClosed()) {
                each.remove();
            }
        }
    }

    private boolean transactional() {
        return settings.entrySet().stream()
                .anyMatch(setting -> setting.getKey().getName().equals("setAutoCommit")
                        && setting.getValue()[0].equals(Boolean.FALSE));
    }

    private static boolean isOfPayarasTransaction() {
        return StackWalker.getInstance()
                .walk(callers ->
                        callers.anyMatch(caller -> caller.getClassName().equals(PAYARAS_TRANSACTION)));
    }

    private static Object call(Connection connection, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
