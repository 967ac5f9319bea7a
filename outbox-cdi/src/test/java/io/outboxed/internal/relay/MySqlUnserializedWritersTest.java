package io.outboxed.internal.relay;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MySqlUnserializedWritersTest extends UnserializedWritersContract {
    private static RealMySql server;

    @BeforeAll
    static void startServer() {
        server = RealMySql.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    LiveDatabase database() throws SQLException {
        return new LiveDatabase(
                () -> DriverManager.getConnection(server.url(), server.user(), server.password()), Dialect.MYSQL);
    }
}
