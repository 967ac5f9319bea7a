package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.retention.MySqlCleanupLockContract;
import io.outboxed.internal.schema.MySqlSchemaContract;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.StatementLimitContract;
import io.outboxed.servers.database.RealMySql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MySqlRelayStoreTest extends JdbcStoreContract
        implements MySqlSchemaContract,
                MySqlClaimContract,
                AdvisoryLockContract,
                ClaimRowsContract,
                StatementLimitContract,
                MySqlCleanupLockContract {
    @AutoClose
    private static final RealMySql SERVER = RealMySql.start();

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
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
        new Jdbc(connection, Dialect.MYSQL).update("SET time_zone = '+05:30'");
    }

    @Override
    public String hideIndex(String table, String index) {
        return "ALTER TABLE " + table + " ALTER INDEX " + index + " INVISIBLE";
    }

    /** With this option an update that changes nothing counts no row. */
    @Test
    void rows_that_stay_as_they_are_are_found_by_a_driver_that_counts_changed_ones() throws SQLException {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, blocked("A")));
        ConnectionSource changedRows = () -> DriverManager.getConnection(
                SERVER.url() + (SERVER.url().contains("?") ? "&" : "?") + "useAffectedRows=true",
                SERVER.user(),
                SERVER.password());
        try (DeadLetterStore letters = new DeadLetterStore(changedRows, dialect(), jdbc().prefix())) {
            assertThat(Unrecorded.discard(letters, first.id(), "A")).isTrue();
        }
        assertThat(bench().deadLetters()).extracting(DeadLetter::messageId).containsExactly(second.id());
    }
}
