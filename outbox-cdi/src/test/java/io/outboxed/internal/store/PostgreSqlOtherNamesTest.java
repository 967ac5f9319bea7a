package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgreSqlOtherNamesTest extends OtherNamesContract {
    private static RealPostgres server;
    private static ConnectionSource sessions;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start();
        sessions =
                new ReusedSessions(() -> DriverManager.getConnection(server.url(), server.user(), server.password()));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    ConnectionSource source() {
        return sessions;
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
