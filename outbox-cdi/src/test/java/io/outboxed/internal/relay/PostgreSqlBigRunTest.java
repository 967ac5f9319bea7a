package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;

class PostgreSqlBigRunTest extends BigRunContract {
    private final RealPostgres server = RealPostgres.start();

    @AfterEach
    void end() {
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
