package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgreSqlKilledProgramIT extends KilledProgramContract {
    private RealPostgres server;

    @BeforeAll
    void startServer() throws Exception {
        server = RealPostgres.start();
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
    String partitions() {
        return "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = 'outbox_history'::regclass";
    }
}
