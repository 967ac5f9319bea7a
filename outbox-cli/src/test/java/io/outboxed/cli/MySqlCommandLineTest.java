package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MySqlCommandLineTest extends ServerCommandLineContract {
    private static RealMySql server;

    @BeforeAll
    static void startServer() {
        server = RealMySql.start(ServerOptions.temporary().durably());
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
        return Dialect.MYSQL;
    }
}
