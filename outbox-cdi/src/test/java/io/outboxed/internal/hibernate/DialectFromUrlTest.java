package io.outboxed.internal.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.metrics.CapturedLog;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.MariaDBDialect;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Works without a database. */
class DialectFromUrlTest {
    private static final String URL = "outbox.datasource.url";
    private static final String LOOKUP = "outbox.datasource.lookup";
    private static final String DIALECT = "outbox.datasource.dialect";
    private static final String PASSWORD = "outbox.datasource.password";
    private static final String LEASE = "outbox.lease";

    @AfterEach
    void forget() {
        List.of(URL, LOOKUP, DIALECT, PASSWORD, LEASE).forEach(System::clearProperty);
    }

    @Test
    void the_url_names_the_dialect() {
        System.setProperty(URL, "jdbc:postgresql://nowhere/db");

        assertThat(settings(Map.of("io.outboxed.dialect", "configured")))
                .containsEntry(AvailableSettings.DIALECT, "org.hibernate.dialect.PostgreSQLDialect")
                .containsEntry(AvailableSettings.ALLOW_METADATA_ON_BOOT, false);
    }

    @Test
    void without_a_url_the_key_does_and_it_wins_over_one() {
        System.setProperty(DIALECT, "mysql");
        assertThat(settings(Map.of("io.outboxed.dialect", "configured")))
                .containsEntry(AvailableSettings.DIALECT, "org.hibernate.dialect.MySQLDialect");

        System.setProperty(URL, "jdbc:proxy:mariadb://nowhere/db");
        System.setProperty(DIALECT, "MariaDB");
        assertThat(settings(Map.of("io.outboxed.dialect", "configured")))
                .containsEntry(AvailableSettings.DIALECT, "org.hibernate.dialect.MariaDBDialect");
    }

    @Test
    void without_either_hibernate_asks_the_database() {
        assertThat(settings(Map.of("io.outboxed.dialect", "configured")))
                .doesNotContainKeys(AvailableSettings.DIALECT, AvailableSettings.ALLOW_METADATA_ON_BOOT);
    }

    @Test
    void a_database_that_can_not_be_asked_is_refused_with_what_to_configure() {
        assertThatThrownBy(DialectFromUrlTest::dialectOfADatabaseThatIsDown)
                .hasRootCauseInstanceOf(OutboxException.class)
                .hasMessageContaining("OUTBOX-0313")
                .hasMessageContaining("Set outbox.datasource.dialect to h2, mysql, mariadb or postgresql");

        System.setProperty(DIALECT, "mariadb");
        assertThat(dialect(Map.of("io.outboxed.dialect", "configured"))).isInstanceOf(MariaDBDialect.class);
    }

    @Test
    void a_missing_url_is_named_before_the_dialect() {
        assertThatThrownBy(DialectFromUrlTest::dialectOfADatabaseThatIsDown)
                .hasMessageContaining("OUTBOX-0313 neither outbox.datasource.url nor outbox.datasource.lookup is set")
                .hasMessageContaining("environment variable OUTBOX_DATASOURCE_URL");
    }

    @Test
    void a_url_that_can_not_be_read_is_named_before_the_dialect() {
        System.setProperty(URL, "jdbc:postgresql://${no.such.host}/shop?password=s3cret");

        assertThatThrownBy(DialectFromUrlTest::dialectOfADatabaseThatIsDown)
                .hasMessageContaining("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining(URL + ": can't be read: it refers to an unset key: ${no.such.host}")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_misspelt_url_is_named_because_the_deployment_may_end_before_it_is_reported() {
        System.setProperty("outbox.datasource.ulr", "jdbc:h2:mem:unused");
        try {
            assertThatThrownBy(DialectFromUrlTest::dialectOfADatabaseThatIsDown)
                    .hasMessageContaining(
                            "outbox.datasource.ulr is not a known key and has no effect; the closest one is"
                                    + " outbox.datasource.url.");
        } finally {
            System.clearProperty("outbox.datasource.ulr");
        }
    }

    @Test
    void a_data_source_of_the_server_misses_no_url() {
        System.setProperty(LOOKUP, "java:/jdbc/own");

        assertThatThrownBy(DialectFromUrlTest::dialectOfADatabaseThatIsDown)
                .hasMessageContaining("OUTBOX-0313")
                .hasMessageNotContaining("outbox.datasource.url");
    }

    @Test
    void a_url_of_an_unknown_kind_is_not_missing() {
        System.setProperty(URL, "jdbc:unknown://nowhere/db");

        assertThatThrownBy(DialectFromUrlTest::dialectOfADatabaseThatIsDown)
                .hasMessageContaining("OUTBOX-0313")
                .hasMessageNotContaining("is set");
    }

    @Test
    void what_an_application_says_itself_stays() {
        System.setProperty(URL, "jdbc:h2:mem:unused");

        assertThat(settings(Map.of())).doesNotContainKey(AvailableSettings.DIALECT);
        assertThat(settings(Map.of("io.outboxed.dialect", "configured", AvailableSettings.DIALECT, "own.Dialect")))
                .containsEntry(AvailableSettings.DIALECT, "own.Dialect")
                .doesNotContainKey(AvailableSettings.ALLOW_METADATA_ON_BOOT);
    }

    @Test
    void a_misspelt_dialect_is_refused_with_those_that_exist() {
        System.setProperty(DIALECT, "postgres");

        assertThatThrownBy(() -> settings(Map.of("io.outboxed.dialect", "configured")))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("outbox.datasource.dialect: expected h2|mysql|mariadb|postgresql, got postgres");
    }

    /** Payara creates the units before CDI checks the settings. */
    @Test
    void a_unit_is_refused_with_all_settings_that_are_wrong_and_they_are_logged() {
        System.setProperty(URL, "jdbc:postgresql://${no.such.host}/shop?password=s3cret");
        System.setProperty(PASSWORD, "s3cret${" + PASSWORD + "}");
        System.setProperty(DIALECT, "postgres");
        System.setProperty(LEASE, "soon");

        try (CapturedLog log = new CapturedLog()) {
            assertThatThrownBy(() -> settings(Map.of("io.outboxed.dialect", "configured")))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageStartingWith("OUTBOX-0200 3 settings are wrong; nothing was deployed:")
                    .hasMessageContaining(URL + ": can't be read: it refers to an unset key: ${no.such.host}")
                    .hasMessageContaining(DIALECT + ": expected h2|mysql|mariadb|postgresql, got postgres")
                    .hasMessageContaining(LEASE + ": expected 1s..10m, got soon")
                    .hasMessageNotContaining("s3cret");
            assertThat(log.lines).singleElement().asString().startsWith("SEVERE OUTBOX-0200 3 settings are wrong");
        }
    }

    @Test
    void a_url_that_refers_to_itself_is_not_shown() {
        System.setProperty(URL, "jdbc:postgresql://host/${" + URL + "}?password=s3cret");
        assertThatThrownBy(() -> settings(Map.of("io.outboxed.dialect", "configured")))
                .hasMessageStartingWith("OUTBOX-0200 1 setting is wrong")
                .hasMessageContaining(URL + ": can't be read: java.lang.IllegalArgumentException")
                .hasMessageNotContaining("s3cret");
    }

    /** Servers create several at a time, and the names of all keys can be listed by one thread only. */
    @Test
    void a_unit_whose_dialect_is_known_leaves_the_other_settings_to_cdi() {
        System.setProperty(URL, "jdbc:h2:mem:unused");
        System.setProperty(PASSWORD, "s3cret${" + PASSWORD + "}");
        System.setProperty(LEASE, "soon");

        assertThat(settings(Map.of("io.outboxed.dialect", "configured")))
                .containsEntry("hibernate.dialect", "org.hibernate.dialect.H2Dialect");
    }

    private static Dialect dialectOfADatabaseThatIsDown() {
        PGSimpleDataSource down = new PGSimpleDataSource();
        down.setUrl("jdbc:postgresql://127.0.0.1:1/down");
        return dialect(Map.of("io.outboxed.dialect", "configured", AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, down));
    }

    private static Dialect dialect(Map<String, Object> ofTheUnit) {
        StandardServiceRegistryBuilder registry = new StandardServiceRegistryBuilder().applySettings(ofTheUnit);
        try (StandardServiceRegistry services = registry.build()) {
            return services.requireService(JdbcEnvironment.class).getDialect();
        }
    }

    private static Map<String, Object> settings(Map<String, Object> ofTheUnit) {
        StandardServiceRegistryBuilder registry = new StandardServiceRegistryBuilder().applySettings(ofTheUnit);
        new DialectFromUrl().contribute(registry);
        return registry.getSettings();
    }
}
