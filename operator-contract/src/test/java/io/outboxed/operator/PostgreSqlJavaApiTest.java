package io.outboxed.operator;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgreSqlJavaApiTest extends JavaApiContract {
    private static RealPostgres server;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start();
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
        return Dialect.POSTGRESQL;
    }
}
