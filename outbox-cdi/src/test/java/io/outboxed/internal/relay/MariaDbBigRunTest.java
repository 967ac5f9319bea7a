package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbBigRunTest extends BigRunContract {
    private final RealMariaDb server = RealMariaDb.start();

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
        return Dialect.MARIADB;
    }
}
