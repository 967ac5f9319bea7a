package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time: nearly all statements are those of {@link MariaDbOtherNamesTest}. */
@Tag("mariadb")
class MySqlOtherNamesTest extends OtherNamesContract {
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
    ConnectionSource source() {
        return () -> DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
    }
}
