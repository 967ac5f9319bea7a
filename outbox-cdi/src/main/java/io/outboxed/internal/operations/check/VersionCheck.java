package io.outboxed.internal.operations.check;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.ServerVersion;
import io.outboxed.internal.database.SqlFailure;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Whether server and driver are of versions that have been tested. A server that is too old is refused anyway. */
final class VersionCheck {
    private static final ServerVersion OLDEST_MARIADB_DRIVER = new ServerVersion(3, 2);

    private final ConnectionSource source;
    private final Dialect dialect;

    VersionCheck(ConnectionSource source, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
    }

    /** Which versions have been tested: those of docs/compatibility.md. */
    private record Tested(ServerVersion oldest, int newestMajor) {
        private static Tested with(Dialect dialect) {
            return switch (dialect) {
                case H2 -> new Tested(new ServerVersion(2, 2), 2);
                case MYSQL -> new Tested(new ServerVersion(8, 0), 9);
                case MARIADB -> new Tested(new ServerVersion(10, 11), 11);
                case POSTGRESQL -> new Tested(new ServerVersion(14, 0), 18);
            };
        }

        private boolean includes(ServerVersion version) {
            return version.compareTo(oldest) >= 0 && version.major() <= newestMajor;
        }

        @Override
        public String toString() {
            return oldest + " to " + newestMajor;
        }
    }

    List<CheckResult> diagnose() {
        DatabaseDescription description = DatabaseDescription.of(source);
        try (Connection connection = source.open()) {
            DatabaseMetaData database = connection.getMetaData();
            return List.of(
                    server(ServerVersion.of(database), description.product() + " at " + description.place()),
                    driver(database, description.driver()));
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("reading the versions of database and driver", e);
        }
    }

    CheckResult server(ServerVersion version, String found) {
        Tested tested = Tested.with(dialect);
        return tested.includes(version)
                ? CheckResult.ok("database", found)
                : CheckResult.warning(
                        "database",
                        found + ". Outboxed has been tested with " + tested,
                        "use one of these, or test your application with this one");
    }

    /** It is this program's: a node logs its own when it starts. */
    private CheckResult driver(DatabaseMetaData database, String found) throws SQLException {
        return driver(new ServerVersion(database.getDriverMajorVersion(), database.getDriverMinorVersion()), found);
    }

    CheckResult driver(ServerVersion version, String found) {
        if (dialect != Dialect.MARIADB) {
            return CheckResult.ok("driver", found);
        }
        String fix = "use MariaDB's, mariadb-java-client, 3.2 or newer, here and in the applications";
        if (!found.toLowerCase(Locale.ROOT).contains("mariadb")) {
            return CheckResult.warning("driver", found + " is MySQL's, but the server is MariaDB", fix);
        }
        return version.compareTo(OLDEST_MARIADB_DRIVER) >= 0
                ? CheckResult.ok("driver", found)
                : CheckResult.warning("driver", found + " is older than 3.2", fix);
    }
}
