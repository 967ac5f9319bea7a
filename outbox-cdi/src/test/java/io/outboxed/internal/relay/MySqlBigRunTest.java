package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;

class MySqlBigRunTest extends BigRunContract {
    private final RealMySql server = RealMySql.start();

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
        return Dialect.MYSQL;
    }
}
