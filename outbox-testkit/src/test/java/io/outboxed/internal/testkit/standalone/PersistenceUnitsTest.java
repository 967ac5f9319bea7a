package io.outboxed.internal.testkit.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A handler that writes through a unit on another database would seem to survive a crash, because here both databases
 * are in one transaction.
 */
class PersistenceUnitsTest {

    @Test
    void a_crash_is_not_shown_for_an_application_with_another_database(@TempDir Path classes) throws Exception {
        Optional<String> noCrash = elsewhere(classes, "java:app/jdbc/billing");
        assertThat(noCrash)
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("{billing=java:app/jdbc/billing}")
                        .contains("Test this in a server"));

        SteppedRelay relay = new SteppedRelay(null, null, null, noCrash, () -> false);
        assertThatThrownBy(() -> relay.verifyRedelivery(() -> {}, () -> 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(noCrash.orElseThrow());
    }

    @Test
    void units_on_the_outboxs_data_source_are_in_its_transactions(@TempDir Path classes) throws Exception {
        assertThat(elsewhere(classes, "java:app/jdbc/outbox")).isEmpty();
    }

    @Test
    void units_whose_transactions_publish_nothing_do_not_count(@TempDir Path classes) throws Exception {
        assertThat(elsewhere(classes, "java:app/jdbc/billing", "billing")).isEmpty();
    }

    @Test
    void a_unit_with_transactions_of_its_own_is_named_when_a_crash_is_asked_for(@TempDir Path classes)
            throws Exception {
        declare(classes, "<persistence-unit name=\"billing\" transaction-type=\"RESOURCE_LOCAL\"/>");

        Optional<String> noCrash = with(classes, null, units -> units.elsewhere(Set.of()));
        assertThat(noCrash).hasValueSatisfying(why -> assertThat(why).contains("{billing=RESOURCE_LOCAL}"));

        Optional<String> ofAnIndependentOne = with(classes, null, units -> units.elsewhere(Set.of("billing")));
        assertThat(ofAnIndependentOne).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hibernate.hbm2ddl.auto=validate",
                "hibernate.hbm2ddl.auto=none",
                "hibernate.hbm2ddl.delimiter=;",
                "jakarta.persistence.schema-generation.database.action=none",
                "javax.persistence.schema-generation.database.action=none",
                "jakarta.persistence.schema-generation.scripts.action=none",
                "hibernate.hbm2ddl.auto=create",
                "hibernate.hbm2ddl.auto=update",
                "jakarta.persistence.schema-generation.database.action=drop-and-create"
            })
    void a_unit_finds_its_tables_unless_it_creates_others(String property, @TempDir Path classes) throws Exception {
        declare(classes, """
                <persistence-unit name="billing">
                  <class>org.example.cached.Book</class>
                  <exclude-unlisted-classes>true</exclude-unlisted-classes>
                  <properties><property name="%s" value="%s"/></properties>
                </persistence-unit>""".formatted((Object[]) property.split("=")));
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:units-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");

        with(classes, database, units -> units.factory("billing"));

        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("SELECT * FROM Book")).isTrue();
            statement.execute("SHUTDOWN");
        }
    }

    private static Optional<String> elsewhere(Path classes, String dataSource, String... independent) throws Exception {
        declare(classes, """
                <persistence-unit name="billing" transaction-type="JTA">
                  <jta-data-source>%s</jta-data-source>
                </persistence-unit>""".formatted(dataSource));
        return with(classes, null, units -> units.elsewhere(Set.of(independent)));
    }

    private static void declare(Path classes, String unit) throws IOException {
        Path file = Files.createDirectories(classes.resolve("META-INF")).resolve("persistence.xml");
        Files.writeString(file, """
                <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
                %s
                </persistence>
                """.formatted(unit));
    }

    private static <T> T with(Path classes, DataSource database, Function<PersistenceUnits, T> question)
            throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {classes.toUri().toURL()}, before);
                PersistenceUnits units = units(loader, database)) {
            return question.apply(units);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static PersistenceUnits units(ClassLoader loader, DataSource database) {
        Thread.currentThread().setContextClassLoader(loader);
        return new PersistenceUnits(database, new Transactions());
    }
}
