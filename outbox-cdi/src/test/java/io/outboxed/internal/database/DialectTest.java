package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class DialectTest {
    @Test
    void known_databases_are_told_apart() throws SQLException {
        assertThat(Dialect.from(database("H2", "2.4.240 (2025-09-22)", 2, 4))).isEqualTo(Dialect.H2);
        assertThat(Dialect.from(database("MySQL", "8.0.12", 8, 0))).isEqualTo(Dialect.MYSQL);
        assertThat(Dialect.from(database("MySQL", "9.7.4", 9, 7))).isEqualTo(Dialect.MYSQL);
        assertThat(Dialect.from(database("PostgreSQL", "18.6", 18, 6))).isEqualTo(Dialect.POSTGRESQL);
        assertThat(Dialect.from(database("MariaDB", "11.4.5-MariaDB", 11, 4))).isEqualTo(Dialect.MARIADB);
        assertThat(Dialect.from(database("MySQL", "11.4.5-MariaDB", 11, 4)))
                .as("MySQL's driver on MariaDB")
                .isEqualTo(Dialect.MARIADB);
        assertThat(Dialect.from(database("MySQL", "5.5.5-10.11.6-MariaDB-1:10.11.6+maria~ubu2204", 5, 5)))
                .as("before 11.0 it reports itself as 5.5.5, since then with its real version")
                .isEqualTo(Dialect.MARIADB);
    }

    @Test
    void unknown_and_old_databases_are_refused() {
        refused(
                database("Apache Derby", "10.17", 10, 17),
                "OUTBOX-0302",
                "Supported are H2, MySQL, MariaDB and PostgreSQL");
        refused(database("MySQL", "5.7.44", 5, 7), "OUTBOX-0301", "needs 8.0");
        refused(database("MariaDB", "10.5.1-MariaDB", 10, 5), "OUTBOX-0301", "needs 10.6");
        refused(database("MySQL", "5.5.5-10.5.23-MariaDB", 5, 5), "OUTBOX-0301", "needs 10.6");
        refused(database("MySQL", "5.5.5-MariaDB", 5, 5), "OUTBOX-0301", "needs 10.6");
        refused(database("PostgreSQL", "11.9", 11, 9), "OUTBOX-0301", "needs 12.0");
        refused(database("H2", "1.4.200", 1, 4), "OUTBOX-0301", "needs 2.2");
    }

    private static void refused(DatabaseMetaData database, String code, String reason) {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> Dialect.from(database))
                .withMessageStartingWith(code)
                .withMessageContaining(reason);
    }

    private static DatabaseMetaData database(String product, String version, int major, int minor) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                DatabaseMetaData.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getDatabaseProductName" -> product;
                    case "getDatabaseProductVersion" -> version;
                    case "getDatabaseMajorVersion" -> major;
                    case "getDatabaseMinorVersion" -> minor;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
