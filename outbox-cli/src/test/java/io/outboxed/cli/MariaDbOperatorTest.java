package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbOperatorTest extends CommandLineOperatorContract {
    private static RealMariaDb server;

    @BeforeAll
    static void startServer() {
        server = RealMariaDb.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    String url() {
        return server.url();
    }

    @Override
    String user() {
        return server.user();
    }

    @Override
    String password() {
        return server.password();
    }

    @Override
    protected Dialect dialect() {
        return Dialect.MARIADB;
    }
}
