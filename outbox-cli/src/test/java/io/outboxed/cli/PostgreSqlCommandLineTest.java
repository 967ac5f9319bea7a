package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgreSqlCommandLineTest extends ServerCommandLineContract {
    private static RealPostgres server;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start(ServerOptions.temporary().durably());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void a_setting_that_loses_events_is_found() throws SQLException {
        tables().run("ALTER DATABASE outbox SET synchronous_commit = off");
        try {
            assertThat(output("check")).contains("warning  synchronous_commit: is off");
        } finally {
            tables().run("ALTER DATABASE outbox RESET synchronous_commit");
        }
    }

    @Override
    RealDatabase server() {
        return server;
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
