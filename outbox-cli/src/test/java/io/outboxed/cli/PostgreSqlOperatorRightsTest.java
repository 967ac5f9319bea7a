package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgreSqlOperatorRightsTest extends OperatorRightsContract {
    private RealPostgres server;

    @BeforeAll
    void startServer() throws Exception {
        server = RealPostgres.start(ServerOptions.temporary().durably());
        createAccounts();
        dontWaitForTheDisk("postgres", "outbox_migrator");
    }

    /** Not those whose check has to find durable settings: these only prepare what they work on. */
    private void dontWaitForTheDisk(String... roles) throws SQLException {
        try (Connection connection = open(administrator(), administratorPassword())) {
            for (String role : roles) {
                execute(connection, "ALTER ROLE " + role + " SET synchronous_commit = off");
            }
        }
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Test
    void a_server_that_keeps_dead_rows_is_found() throws Exception {
        administer("ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()");
        try {
            awaitSetting("autovacuum", "off");
            succeeds("operator", "check");
            assertThat(terminal().output()).contains("warning  autovacuum: is off");
        } finally {
            administer("ALTER SYSTEM RESET autovacuum", "SELECT pg_reload_conf()");
        }
    }

    /** The server reads its file a moment after it was told to. */
    private void awaitSetting(String name, String value) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!tables().texts("SHOW " + name).equals(List.of(value))) {
            assertThat(System.nanoTime())
                    .as(name + " is not " + value + " after 20 s")
                    .isLessThan(deadline);
        }
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
        return server.administratorPassword();
    }

    @Override
    String partitionsAccount() {
        return "migrator";
    }
}
