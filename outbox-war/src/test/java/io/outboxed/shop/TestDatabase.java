package io.outboxed.shop;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.h2.tools.Server;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** Where a server under test connects to. */
record TestDatabase(String url, String user, String password, AutoCloseable server)
        implements CloseableResource, AutoCloseable {
    private static final String KIND = "it.database";

    /**
     * The one of this run ({@code it.database}), started for the first test class that needs it and stopped after the
     * last.
     */
    static TestDatabase ofThisRun(ExtensionContext context) {
        TestDatabase database = OneServer.store(context, TestDatabase.class)
                .getOrComputeIfAbsent("database", key -> ofThisRun(), TestDatabase.class);
        if (OneServer.isWanted()) {
            database.clear();
        }
        return database;
    }

    /** Of what earlier classes have left. Only PostgreSQL needs it so far. */
    private void clear() {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP OWNED BY CURRENT_USER CASCADE");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One of this run's kind; the caller closes it. */
    static TestDatabase ofThisRun() {
        return System.getProperty(KIND).equals("h2") ? inMemory() : of(real());
    }

    /** One of this run's kind for a single test, which may kill it. */
    static RealDatabase real() {
        String kind = System.getProperty(KIND);
        return switch (kind) {
            case "mysql" -> RealMySql.start();
            case "mariadb" -> RealMariaDb.start();
            case "postgresql" -> RealPostgres.start();
            default ->
                throw new IllegalArgumentException(KIND + ": expected mysql, mariadb or postgresql, got " + kind);
        };
    }

    /** Lives as long as the application's class loader. */
    private static TestDatabase inMemory() {
        return new TestDatabase("jdbc:h2:mem:it;DB_CLOSE_DELAY=-1", "sa", "sa", () -> {});
    }

    /** One of this run's kind that a test can reach beside the server; the caller closes it. */
    static TestDatabase shared() throws SQLException {
        return System.getProperty(KIND).equals("h2") ? overTcp() : of(real());
    }

    /** In the memory of this process. */
    private static TestDatabase overTcp() throws SQLException {
        Server tcp = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://127.0.0.1:" + tcp.getPort() + "/mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        return new TestDatabase(url, "sa", "sa", tcp::stop);
    }

    /** Survives the server's process, however it ends. */
    static TestDatabase inFile(Path file) {
        return new TestDatabase(
                "jdbc:h2:async:" + file.toAbsolutePath() + ";DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0", "sa", "", () -> {});
    }

    static TestDatabase of(RealDatabase real) {
        return new TestDatabase(real.url(), real.user(), real.password(), real);
    }

    @Override
    public void close() throws Exception {
        server.close();
    }
}
