package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.retention.MySqlCleanupLockContract;
import io.outboxed.internal.schema.MySqlSchemaContract;
import io.outboxed.internal.store.jdbc.StatementLimitContract;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbRelayStoreTest extends JdbcStoreContract
        implements MySqlSchemaContract,
                AdvisoryLockContract,
                ClaimRowsContract,
                StatementLimitContract,
                MySqlCleanupLockContract {
    @AutoClose
    private static final RealMariaDb SERVER = RealMariaDb.start();

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }

    /** What MariaDB's driver does by itself if it may know several hosts. */
    @Override
    public ConnectionSource reconnecting() {
        String url = SERVER.url().replace("jdbc:mariadb://", "jdbc:mariadb:sequential://");
        return url.equals(SERVER.url())
                ? new Reconnecting(source())
                : () -> DriverManager.getConnection(url, SERVER.user(), SERVER.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }

    @Override
    public void doom(JdbcDelivery delivery) throws Exception {
        Deadlock.lose(delivery, jdbc());
    }

    @Override
    public JdbcDelivery beginDoubtful() throws SQLException {
        JdbcDelivery delivery = jdbc().begin();
        delivery.run("XA START 'doubtful'");
        return delivery;
    }

    @Override
    public void prepare(JdbcDelivery delivery) throws SQLException {
        delivery.run("XA END 'doubtful'");
        delivery.run("XA PREPARE 'doubtful'");
    }

    @Override
    public void commitPrepared(JdbcDelivery delivery) throws SQLException {
        delivery.run("XA COMMIT 'doubtful'");
    }

    @Override
    public void setZone(Connection connection) throws Exception {
        new Jdbc(connection, Dialect.MARIADB).update("SET time_zone = '+05:30'");
    }

    @Override
    public String hideIndex(String table, String index) {
        return "ALTER TABLE " + table + " ALTER INDEX " + index + " IGNORED";
    }
}
