package io.outboxed.internal.testkit.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

        Optional<String> noCrash = with(classes, null, units -> elsewhereIfUsed(units));
        assertThat(noCrash).hasValueSatisfying(why -> assertThat(why).contains("{billing=RESOURCE_LOCAL}"));

        Optional<String> ofAnIndependentOne = with(classes, null, units -> elsewhereIfUsed(units, "billing"));
        assertThat(ofAnIndependentOne).isEmpty();
    }

    @Test
    void a_unit_that_no_bean_uses_does_not_count(@TempDir Path classes) throws Exception {
        declare(classes, "<persistence-unit name=\"billing\" transaction-type=\"RESOURCE_LOCAL\"/>");
        Optional<String> noCrash = with(classes, null, units -> units.elsewhere(Set.of()));
        assertThat(noCrash).isEmpty();
    }

    @Test
    void the_first_unit_of_a_name_counts_as_for_hibernate(@TempDir Path tests, @TempDir Path classes) throws Exception {
        declare(tests, """
                <persistence-unit name="billing">
                  <jta-data-source>java:app/jdbc/outbox</jta-data-source>
                  <class>org.example.cached.Book</class>
                  <exclude-unlisted-classes>true</exclude-unlisted-classes>
                </persistence-unit>""");
        declare(classes, """
                <persistence-unit name="billing" transaction-type="RESOURCE_LOCAL">
                  <properties><property name="hibernate.hbm2ddl.auto" value="update"/></properties>
                </persistence-unit>""");
        JdbcDataSource database = database();

        Optional<String> noCrash = with(List.of(tests, classes), database, units -> {
            units.factory("billing");
            return elsewhereIfUsed(units);
        });

        assertThat(noCrash).isEmpty();
        assertThat(columnsOfBooks(database)).containsExactly("TITLE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hibernate.hbm2ddl.auto=validate",
                "hibernate.hbm2ddl.auto=none",
                "hibernate.hbm2ddl.delimiter=;",
                "jakarta.persistence.schema-generation.database.action=none",
                "javax.persistence.schema-generation.database.action=none",
                "jakarta.persistence.schema-generation.scripts.action=none"
            })
    void a_unit_that_creates_no_tables_finds_them(String property, @TempDir Path classes) throws Exception {
        JdbcDataSource database = database();

        open(property, classes, database);

        assertThat(columnsOfBooks(database)).containsExactly("TITLE");
    }

    /** What the kit would do, {@code create}, leaves a table that exists as it is. */
    @ParameterizedTest
    @CsvSource({
        "hibernate.hbm2ddl.auto=update, OLD TITLE",
        "hibernate.hbm2ddl.auto=create, TITLE",
        "jakarta.persistence.schema-generation.database.action=drop-and-create, TITLE",
        "javax.persistence.schema-generation.database.action=drop-and-create, TITLE"
    })
    void a_unit_that_creates_its_tables_does_so_in_its_own_way(String property, String columns, @TempDir Path classes)
            throws Exception {
        JdbcDataSource database = database();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE Book (OLD INT)");
        }

        open(property, classes, database);

        assertThat(columnsOfBooks(database)).containsExactly(columns.split(" "));
    }

    private static JdbcDataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:units-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return database;
    }

    private static void open(String property, Path classes, DataSource database) throws IOException {
        declare(classes, """
                <persistence-unit name="billing">
                  <class>org.example.cached.Book</class>
                  <exclude-unlisted-classes>true</exclude-unlisted-classes>
                  <properties><property name="%s" value="%s"/></properties>
                </persistence-unit>""".formatted((Object[]) property.split("=")));
        with(classes, database, units -> units.factory("billing"));
    }

    /** Ends the database. */
    private static List<String> columnsOfBooks(DataSource database) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            try (ResultSet found = connection.getMetaData().getColumns(null, null, "BOOK", null)) {
                while (found.next()) {
                    columns.add(found.getString("COLUMN_NAME"));
                }
            }
            statement.execute("SHUTDOWN");
        }
        return columns;
    }

    private static Optional<String> elsewhere(Path classes, String dataSource, String... independent) throws Exception {
        declare(classes, """
                <persistence-unit name="billing" transaction-type="JTA">
                  <jta-data-source>%s</jta-data-source>
                </persistence-unit>""".formatted(dataSource));
        return with(classes, null, units -> elsewhereIfUsed(units, independent));
    }

    private static Optional<String> elsewhereIfUsed(PersistenceUnits units, String... independent) {
        units.injected("billing", null);
        return units.elsewhere(Set.of(independent));
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
        return with(List.of(classes), database, question);
    }

    private static <T> T with(List<Path> classPath, DataSource database, Function<PersistenceUnits, T> question)
            throws IOException {
        URL[] places = new URL[classPath.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = classPath.get(i).toUri().toURL();
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(places, before);
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
