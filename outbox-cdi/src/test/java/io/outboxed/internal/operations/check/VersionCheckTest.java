package io.outboxed.internal.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.ServerVersion;
import io.outboxed.internal.operations.check.CheckResult.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VersionCheckTest {

    @Test
    void server_and_driver_are_named() {
        assertThat(new VersionCheck(() -> DriverManager.getConnection("jdbc:h2:mem:" + UUID.randomUUID()), Dialect.H2)
                        .diagnose())
                .allMatch(result -> result.severity() == Severity.OK)
                .extracting(result -> result.subject() + ": " + result.finding())
                .satisfiesExactly(
                        database -> assertThat(database)
                                .startsWith("database: H2 2.")
                                .contains(" at h2 mem"),
                        driver -> assertThat(driver).startsWith("driver: H2 JDBC Driver 2."));
    }

    @ParameterizedTest
    @EnumSource
    void a_server_is_questioned_if_the_page_of_compatibility_has_none_like_it(Dialect dialect) throws IOException {
        SortedSet<ServerVersion> tested = ofThePage(dialect);

        assertThat(tested).isNotEmpty().allMatch(version -> server(dialect, version) == Severity.OK);
        ServerVersion next = new ServerVersion(tested.last().major() + 1, 0);
        assertThat(server(dialect, next)).as("%s", next).isEqualTo(Severity.WARNING);
        ServerVersion previous = new ServerVersion(tested.first().major() - 1, 99);
        assertThat(server(dialect, previous)).as("%s", previous).isEqualTo(Severity.WARNING);
    }

    @Test
    void an_untested_server_comes_with_what_has_been_tested() {
        assertThat(check(Dialect.POSTGRESQL).server(new ServerVersion(12, 22), "PostgreSQL 12.22 at db"))
                .isEqualTo(CheckResult.warning(
                        "database",
                        "PostgreSQL 12.22 at db. Outboxed has been tested with 14.0 to 18",
                        "use one of these, or test your application with this one"));
    }

    @Test
    void mariadb_needs_a_driver_of_its_own_from_3_2_on() {
        VersionCheck mariaDb = check(Dialect.MARIADB);
        String own = "MariaDB Connector/J ";

        assertThat(mariaDb.driver(new ServerVersion(3, 2), own + "3.2.0").severity())
                .isEqualTo(Severity.OK);
        assertThat(mariaDb.driver(new ServerVersion(3, 1), own + "3.1.4").finding())
                .isEqualTo(own + "3.1.4 is older than 3.2");
        assertThat(mariaDb.driver(new ServerVersion(9, 6), "MySQL Connector/J mysql-connector-j-9.6.0"))
                .satisfies(result -> {
                    assertThat(result.severity()).isEqualTo(Severity.WARNING);
                    assertThat(result.finding()).endsWith("is MySQL's, but the server is MariaDB");
                    assertThat(result.remedy()).contains("mariadb-java-client");
                });
        assertThat(check(Dialect.MYSQL)
                        .driver(new ServerVersion(9, 6), "MySQL Connector/J mysql-connector-j-9.6.0")
                        .severity())
                .isEqualTo(Severity.OK);
    }

    private static SortedSet<ServerVersion> ofThePage(Dialect dialect) throws IOException {
        String page = Files.readString(Path.of("../docs/compatibility.md"));
        Matcher found =
                Pattern.compile("(?i)\\b" + dialect.name() + " (\\d+)\\.(\\d+)").matcher(page.toLowerCase(Locale.ROOT));
        SortedSet<ServerVersion> versions = new TreeSet<>();
        while (found.find()) {
            versions.add(new ServerVersion(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2))));
        }
        return versions;
    }

    private static Severity server(Dialect dialect, ServerVersion version) {
        return check(dialect).server(version, "").severity();
    }

    private static VersionCheck check(Dialect dialect) {
        return new VersionCheck(
                () -> {
                    throw new AssertionError("no connection is needed");
                },
                dialect);
    }
}
