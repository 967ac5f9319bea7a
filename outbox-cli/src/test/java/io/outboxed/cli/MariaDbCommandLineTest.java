package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.ServerOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbCommandLineTest extends ServerCommandLineContract {
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
    public Dialect dialect() {
        return Dialect.MARIADB;
    }
}
