package io.outboxed.internal.boot;

import io.outboxed.internal.capture.JpaUnit;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.schema.JtaProbe;
import io.outboxed.internal.schema.Schema;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** A pool of a server, on H2. Within a transaction, its connections are one, and closing them ends nothing. */
final class JtaPool {
    final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    /** H2's first user, who may do anything; another one may not repeat a setting of the database. */
    String user = "";

    private final List<Connection> lent = new ArrayList<>();
    private Connection current;
    int opened;
    private int exhaustedFrom = Integer.MAX_VALUE;
    SQLException fails;

    void exhaustedFrom(int number) {
        opened = 0;
        exhaustedFrom = number;
    }

    void rolledBack(RolledBackTransaction.Work work) throws Exception {
        try (Connection transaction = open()) {
            transaction.setAutoCommit(false);
            current = transaction;
            work.run();
            transaction.rollback();
        } finally {
            current = null;
        }
    }

    Connection getConnection() throws SQLException {
        if (fails != null) {
            throw fails;
        }
        Connection joined = current;
        if (joined == null && ++opened >= exhaustedFrom) {
            throw new SQLException("IJ000453: Unable to get managed connection for java:jboss/datasources/shop");
        }
        return joined == null
                ? open()
                : proxy(
                        Connection.class,
                        (method, arguments) ->
                                method.getName().equals("close") ? null : method.invoke(joined, arguments));
    }

    private Connection open() throws SQLException {
        Connection connection =
                DriverManager.getConnection(user.isEmpty() ? url : url.replaceFirst(";.*", ""), user, user);
        lent.add(connection);
        return connection;
    }

    int inUse() throws SQLException {
        int count = 0;
        for (Connection each : lent) {
            count += each.isClosed() ? 0 : 1;
        }
        return count;
    }

    DataSource source() {
        return proxy(DataSource.class, (method, arguments) -> getConnection());
    }

    void createTables() {
        new Schema(this::getConnection, Dialect.H2, "outbox_").create();
    }

    void run(String sql) throws SQLException {
        try (Connection connection = getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A persistence unit on these connections. */
    JpaUnit unit() {
        return unit(this::getConnection);
    }

    static JpaUnit unit(ConnectionSource source) {
        return new JpaUnit() {
            @Override
            public void onConnection(JtaProbe.Write write) {
                try (Connection connection = source.open()) {
                    write.on(connection);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private interface Answer {
        Object to(Method method, Object[] arguments) throws ReflectiveOperationException, SQLException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return answer.to(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
