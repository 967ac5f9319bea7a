package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.OutboxException;
import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.capture.JpaUnit;
import io.outboxed.internal.config.GivenSettings;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.MaintenanceTask;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node checks and creates before it has a relay. */
class OutboxDatabaseTest {
    private final JtaPool pool = new JtaPool();

    @Test
    void a_database_without_tables_gets_them_and_is_kept_clean() throws SQLException {
        OutboxDatabase database = database(Map.of());
        database.open(pool::rolledBack);

        assertThat(database.maintenance(OutboxMeters.none()))
                .extracting(MaintenanceTask::name)
                .containsExactly("cleanup", "retired-handlers", "bulk-operations");
        assertThat(tables()).isPositive();
        database.close();
    }

    @Test
    void tables_that_are_only_to_be_verified_are_not_created() throws SQLException {
        assertThatThrownBy(() -> database(Map.of("outbox.schema", "verify")).open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0304");
        assertThat(tables()).isZero();
    }

    @Test
    void tables_of_another_layout_are_refused_although_they_are_not_to_be_verified() throws SQLException {
        pool.createTables();
        pool.run("UPDATE outbox_meta SET setting = setting + 1 WHERE name = 'schema'");

        assertThatThrownBy(() -> database(Map.of("outbox.schema", "off")).open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0308")
                .hasMessageContaining("They were changed for a newer version");
    }

    @Test
    void tables_that_are_not_to_be_verified_may_have_other_columns() throws SQLException {
        pool.createTables();
        pool.run("ALTER TABLE outbox_inbox DROP COLUMN received_at");

        assertThatThrownBy(() -> database(Map.of("outbox.schema", "verify")).open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0304");
        OutboxDatabase unchecked = database(Map.of("outbox.schema", "off"));
        unchecked.open(pool::rolledBack);
        unchecked.close();
    }

    /** Hibernate would write the events with it: each transaction that publishes one would fail, and nothing else. */
    @ParameterizedTest
    @ValueSource(strings = {"mysql", "mariadb", "postgresql"})
    void a_dialect_that_is_not_that_of_the_database_is_refused(String dialect) throws SQLException {
        assertThatThrownBy(() ->
                        database(Map.of("outbox.datasource.dialect", dialect)).open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith(
                        "OUTBOX-0319 outbox.datasource.dialect is " + dialect + ", but the database is H2 2.")
                .hasMessageContaining("Set it to h2");
        assertThat(tables()).isZero();
    }

    @Test
    void so_it_is_when_a_database_that_was_down_at_the_start_answers() {
        OutboxDatabase database = database(Map.of("outbox.datasource.dialect", "mysql"));
        pool.exhaustedFrom(1);
        assertThatThrownBy(() -> database.open(pool::rolledBack)).isInstanceOf(StoreException.class);
        pool.exhaustedFrom(Integer.MAX_VALUE);

        assertThatThrownBy(() -> database.open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0319");
    }

    @Test
    void the_dialect_of_the_database_is_accepted() {
        OutboxDatabase database = database(Map.of("outbox.datasource.dialect", "h2"));
        database.open(pool::rolledBack);
        database.close();
    }

    @Test
    void a_data_source_whose_rows_survive_a_rollback_is_refused() {
        assertThatThrownBy(() -> database(Map.of()).open(RolledBackTransaction.Work::run))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0309");
    }

    @Test
    void so_is_a_persistence_unit_although_its_data_source_is_in_order() {
        assertThatThrownBy(() -> database(Map.of(), JtaPool.unit(() -> DriverManager.getConnection(pool.url)))
                        .open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0309 the persistence unit outbox");
    }

    @Test
    void a_database_whose_locks_can_not_be_tested_is_refused() throws SQLException {
        pool.createTables();
        pool.run("DELETE FROM outbox_meta WHERE name = 'probe'");

        assertThatThrownBy(() -> database(Map.of("outbox.schema", "off")).open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0307");
    }

    /** The deployment goes on, and the relay waits, as for any other outage. */
    @Test
    void a_pool_that_has_no_connection_left_during_the_checks_is_an_outage() throws SQLException {
        pool.createTables();
        int opened = connectionsOfAStart();
        for (int exhausted = 1; exhausted <= opened; exhausted++) {
            pool.exhaustedFrom(exhausted);
            assertThatThrownBy(() -> database(Map.of()).open(pool::rolledBack))
                    .as("connection %d", exhausted)
                    .isInstanceOf(StoreException.class)
                    .matches(e -> ((StoreException) e).isTransient());
        }
        assertThat(opened).isGreaterThan(3);
    }

    @Test
    void a_data_source_that_is_not_configured_is_no_outage() {
        pool.fails = new SQLException(
                "Error in allocating a connection",
                new IllegalStateException("Cause: OUTBOX-0201 no database is configured: set outbox.datasource.url"));

        assertThatThrownBy(() -> database(Map.of()).open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessage("OUTBOX-0201 no database is configured: set outbox.datasource.url");
    }

    @Test
    void nor_is_a_database_without_a_driver() {
        ConfiguredDataSource source = new ConfiguredDataSource();
        source.setPrefix("nosuch.datasource");
        System.setProperty("nosuch.datasource.url", "jdbc:nosuch://host/db");
        try {
            pool.fails = catchThrowableOfType(SQLException.class, source::getConnection);
        } finally {
            System.clearProperty("nosuch.datasource.url");
        }

        assertThatThrownBy(() -> database(Map.of()).open(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0202 no JDBC driver accepts jdbc:nosuch://host/db");
    }

    private int connectionsOfAStart() throws SQLException {
        pool.exhaustedFrom(Integer.MAX_VALUE);
        OutboxDatabase database = database(Map.of());
        database.open(pool::rolledBack);
        database.close();
        return pool.opened;
    }

    private OutboxDatabase database(Map<String, String> settings) {
        return database(settings, pool.unit());
    }

    private OutboxDatabase database(Map<String, String> settings, JpaUnit unit) {
        OutboxConfig config = GivenSettings.read(settings);
        return new OutboxDatabase(config, unit, pool::source);
    }

    private int tables() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'PUBLIC'")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
