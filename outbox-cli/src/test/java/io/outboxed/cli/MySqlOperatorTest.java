package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MySqlOperatorTest extends CommandLineOperatorContract {
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
        return Dialect.MYSQL;
    }
}
