package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgreSqlOperatorRightsTest extends OperatorRightsContract {
    private RealPostgres server;

    @BeforeAll
    void startServer() throws Exception {
        server = RealPostgres.start(ServerOptions.temporary().durably());
        createAccounts();
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Override
    RealDatabase server() {
        return server;
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    String administrator() {
        return "postgres";
    }

    @Override
    String administratorPassword() {
        return "outbox";
    }

    @Override
    String partitionsAccount() {
        return "migrator";
    }
}
