package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbUpgradeTest extends UpgradeContract {
    private static RealMariaDb server;

    @BeforeAll
    static void startServer() throws Exception {
        server = RealMariaDb.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }
}
