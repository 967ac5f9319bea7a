package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.servers.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgreSqlRelayStoreTest extends JdbcStoreContract {
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
    ConnectionSource source() {
        return () -> DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    /** PostgreSQL aborts a transaction after any failed statement. */
    @Override
    public void doom(JdbcDelivery delivery) {
        assertThat(catchThrowable(() -> delivery.run("UPDATE effect SET amount = 1 / 0 WHERE id = 1")))
                .isNotNull();
    }

    @Override
    public void prepare(JdbcDelivery delivery) throws SQLException {
        delivery.run("PREPARE TRANSACTION 'doubtful'");
    }

    @Override
    public void commitPrepared(JdbcDelivery delivery) throws SQLException {
        jdbc().run("COMMIT PREPARED 'doubtful'");
    }

    @Override
    public void setZone(Connection connection) throws Exception {
        new Jdbc(connection, Dialect.POSTGRESQL).update("SET TIME ZONE 'Asia/Kolkata'");
    }
}
