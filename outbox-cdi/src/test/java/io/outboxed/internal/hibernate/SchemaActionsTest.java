package io.outboxed.internal.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Units of an application, as Hibernate starts them. The file hibernate.properties of these tests asks for tables. */
class SchemaActionsTest {
    private static final String DIALECT = "outbox.datasource.dialect";

    private final JdbcDataSource h2 = new JdbcDataSource();
    private Connection kept;

    @Entity(name = "Parcel")
    public static class Parcel {
        @Id
        private long id;
    }

    @BeforeEach
    void a_database_with_the_table_of_the_outbox() throws SQLException {
        h2.setUrl("jdbc:h2:mem:schema-actions");
        kept = h2.getConnection();
        try (Statement statement = kept.createStatement()) {
            statement.execute("CREATE TABLE outbox_message (id UUID)");
            statement.execute("INSERT INTO outbox_message VALUES (RANDOM_UUID())");
        }
    }

    @AfterEach
    void forget() throws SQLException {
        System.clearProperty(DIALECT);
        kept.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"drop-and-create", "create", "drop"})
    void a_unit_with_the_entity_of_the_outbox_must_not_create_or_drop_tables(String action) throws SQLException {
        assertThatThrownBy(() -> start(
                        Map.of(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION, action),
                        Parcel.class,
                        OutboxRow.class))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0315 the persistence unit shop has the schema action ")
                .hasMessageContaining("contains the entity io.outboxed.internal.hibernate.OutboxRow");

        assertThat(tables()).containsExactly("OUTBOX_MESSAGE");
        assertThat(rows()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"update", "create-drop", "create-only"})
    void so_it_must_not_by_the_property_of_hibernate(String action) throws SQLException {
        assertThatThrownBy(() -> start(Map.of(AvailableSettings.HBM2DDL_AUTO, action), OutboxRow.class))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("OUTBOX-0315");

        assertThat(tables()).containsExactly("OUTBOX_MESSAGE");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_unit_with_its_own_entities_creates_its_tables() throws SQLException {
        start(Map.of(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION, "create"), Parcel.class);

        assertThat(tables()).containsExactlyInAnyOrder("OUTBOX_MESSAGE", "PARCEL");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_unit_with_the_entity_and_without_a_schema_action_starts() {
        assertThatCode(() -> start(none(), OutboxRow.class)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "create, drop-and-create",
        "create-only, create",
        "create-drop, create-drop",
        "update, update",
        "validate, validate"
    })
    void a_unit_that_needs_its_database_which_is_down_is_refused(String action, String name) {
        System.setProperty(DIALECT, "postgresql");
        assertThatThrownBy(() -> start(
                        Map.of(
                                "io.outboxed.dialect",
                                "configured",
                                AvailableSettings.HBM2DDL_AUTO,
                                action,
                                AvailableSettings.JAKARTA_NON_JTA_DATASOURCE,
                                down()),
                        Parcel.class))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith(
                        "OUTBOX-0316 the persistence unit shop has the schema action " + name + ", which needs")
                .hasMessageContaining("Start the database; or create the tables in another way")
                .hasCauseInstanceOf(SQLException.class);
    }

    @Test
    void so_it_is_if_it_names_its_dialect() {
        Map<String, Object> settings = withDialectOfItsOwn();
        settings.put(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, down());

        assertThatThrownBy(() -> start(settings, Parcel.class))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0316 the persistence unit shop has the schema action create, which")
                .hasCauseInstanceOf(SQLException.class);
    }

    @Test
    void a_unit_that_creates_its_tables_by_a_connection_of_the_application_needs_no_other_one() throws SQLException {
        Map<String, Object> settings = withDialectOfItsOwn();
        settings.put(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, down());
        try (Connection provided = h2.getConnection()) {
            settings.put(AvailableSettings.JAKARTA_HBM2DDL_CONNECTION, provided);

            start(settings, Parcel.class);
        }

        assertThat(tables()).containsExactlyInAnyOrder("OUTBOX_MESSAGE", "PARCEL");
    }

    private static Map<String, Object> withDialectOfItsOwn() {
        return new HashMap<>(Map.of(
                AvailableSettings.DIALECT,
                "org.hibernate.dialect.H2Dialect",
                AvailableSettings.ALLOW_METADATA_ON_BOOT,
                false,
                AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION,
                "create"));
    }

    @Test
    void a_unit_without_a_schema_action_starts_while_its_database_is_down() {
        System.setProperty(DIALECT, "postgresql");
        Map<String, Object> settings = none();
        settings.put("io.outboxed.dialect", "configured");
        settings.put(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, down());

        assertThatCode(() -> start(settings, Parcel.class)).doesNotThrowAnyException();
    }

    private static Map<String, Object> none() {
        return new HashMap<>(Map.of(
                AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION, "none", AvailableSettings.HBM2DDL_AUTO, "none"));
    }

    private static DataSource down() {
        PGSimpleDataSource down = new PGSimpleDataSource();
        down.setUrl("jdbc:postgresql://127.0.0.1:1/down");
        return down;
    }

    private void start(Map<String, Object> settings, Class<?>... entities) {
        StandardServiceRegistryBuilder registry = new StandardServiceRegistryBuilder()
                .applySetting(AvailableSettings.PERSISTENCE_UNIT_NAME, "shop")
                .applySetting(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, h2)
                .applySetting(AvailableSettings.DEFAULT_SCHEMA, "")
                .applySetting(AvailableSettings.DEFAULT_CATALOG, "")
                .applySetting(AvailableSettings.GLOBALLY_QUOTED_IDENTIFIERS, false)
                .applySetting(AvailableSettings.PHYSICAL_NAMING_STRATEGY, strategyOf(entities))
                .applySettings(settings);
        if (!settings.containsKey(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION)) {
            registry.getSettings().remove(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION);
        }
        try (StandardServiceRegistry services = registry.build()) {
            new MetadataSources(services)
                    .addAnnotatedClasses(entities)
                    .buildMetadata()
                    .buildSessionFactory()
                    .close();
        }
    }

    /** As in the unit outbox if it has the entity of the outbox. */
    private static Class<?> strategyOf(Class<?>... entities) {
        return List.of(entities).contains(OutboxRow.class)
                ? TablePrefix.class
                : PhysicalNamingStrategyStandardImpl.class;
    }

    private List<String> tables() throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = kept.getMetaData().getTables(null, "PUBLIC", "%", null)) {
            while (rows.next()) {
                names.add(rows.getString("TABLE_NAME"));
            }
        }
        return names;
    }

    private int rows() throws SQLException {
        try (Statement statement = kept.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM outbox_message")) {
            row.next();
            return row.getInt(1);
        }
    }
}
