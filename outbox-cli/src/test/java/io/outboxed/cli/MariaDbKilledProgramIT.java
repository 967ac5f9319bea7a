package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbKilledProgramIT extends KilledProgramContract {
    private RealMariaDb server;

    @BeforeAll
    void startServer() throws Exception {
        server = RealMariaDb.start();
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
        return Dialect.MARIADB;
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
