package io.outboxed.internal.store;

import io.outboxed.servers.RealPostgres;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgreSqlRelayStoreTest extends JdbcStoreContract {
    private static RealPostgres server;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
