package io.outboxed.cli;

import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbExamplesIT extends CommandLineExamplesContract {
    private static RealMariaDb server;

    @BeforeAll
    static void startServer() {
        server = RealMariaDb.start(ServerOptions.temporary().durably());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    RealDatabase server() {
        return server;
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }

    @Override
    Map<String, String> differences() throws IOException {
        DatabaseDescription database = DatabaseDescription.of(
                () -> DriverManager.getConnection(server.url(), server.user(), server.password()));
        Map<String, String> ofMySql = examples(1);
        ofMySql.computeIfPresent(
                "outbox check",
                (check, text) -> text.replaceFirst("MySQL \\S+ at", database.product() + " at")
                        .replaceFirst("MySQL Connector.*", database.driver()));
        return ofMySql;
    }
}
