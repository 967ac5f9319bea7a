package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.GivenSettings;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a deployment says if its start does not get as far as the relay. */
class RelayStarterTest {
    private final JtaPool pool = new JtaPool();

    /** With outbox.schema=off nothing compares the tables: the first statement that needs one fails. */
    @ParameterizedTest
    @ValueSource(strings = {"outbox_meta", "outbox_shard", "outbox_handler"})
    void a_missing_table_is_refused_with_its_name_and_with_what_to_do(String table) throws SQLException {
        pool.createTables();
        pool.run("DROP TABLE " + table);

        assertThatThrownBy(() -> starter().prepare(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0321 ")
                .hasMessageContaining(table.toUpperCase(Locale.ROOT))
                .hasMessageContaining("neither stores nor delivers events")
                .hasMessageContaining("outbox.schema=verify")
                .hasMessageContaining("SELECT, INSERT, UPDATE and DELETE")
                .hasCauseInstanceOf(StoreException.class);
    }

    @Test
    void so_is_a_missing_right() throws SQLException {
        pool.createTables();
        pool.run("CREATE USER app PASSWORD 'app'");
        pool.run("GRANT SELECT, UPDATE ON outbox_meta, outbox_shard TO app");
        pool.run("GRANT INSERT, DELETE ON outbox_meta TO app");
        pool.user = "app";

        assertThatThrownBy(() -> starter().prepare(pool::rolledBack))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0321 ")
                .hasMessageContaining("OUTBOX_HANDLER")
                .hasMessageContaining("vendor code 90096");
    }

    @Test
    void a_row_that_is_missing_is_named_too() throws SQLException {
        pool.createTables();
        pool.run("DELETE FROM outbox_meta WHERE name = 'registry'");

        assertThatThrownBy(() -> starter().prepare(pool::rolledBack))
                .hasMessageStartingWith("OUTBOX-0321 ")
                .hasMessageContaining("row 'registry' of the meta table is missing");
    }

    @Test
    void a_database_that_is_down_is_waited_for() {
        pool.createTables();
        pool.exhaustedFrom(1);

        assertThatThrownBy(() -> starter().prepare(pool::rolledBack))
                .isInstanceOf(StoreException.class)
                .matches(e -> ((StoreException) e).isTransient());
    }

    private RelayStarter starter() {
        OutboxConfig config = GivenSettings.read(Map.of("outbox.schema", "off"));
        RelayStarter starter = new RelayStarter();
        starter.config = config;
        starter.database = new OutboxDatabase(config, pool.unit(), pool::source);
        starter.invoker = new NoHandlers();
        return starter;
    }
}
