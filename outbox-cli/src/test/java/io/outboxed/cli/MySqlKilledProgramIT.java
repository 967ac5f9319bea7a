package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MySqlKilledProgramIT extends KilledProgramContract {
    private RealMySql server;

    @BeforeAll
    void startServer() {
        server = RealMySql.start();
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
        return Dialect.MYSQL;
    }

    @Override
    List<String> driver() {
        return List.of("--driver-path", OutboxProgram.driverFor(server).toString());
    }

    @Override
    String partitions() {
        return "SELECT (SELECT COUNT(*) FROM information_schema.partitions WHERE table_schema = DATABASE()"
                + " AND table_name = 'outbox_history' AND partition_name IS NOT NULL) + 2 * (SELECT COUNT(*) FROM"
                + " information_schema.processlist WHERE info LIKE 'ALTER TABLE%')";
    }
}
