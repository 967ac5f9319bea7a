package io.outboxed.internal.boot;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.Dialect;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/**
 * Rejects an {@code outbox.datasource.dialect} with which Hibernate would store events as in another database: nothing
 * else would notice before the first transaction that publishes one, which could not commit.
 */
final class ConfiguredDialect {
    private ConfiguredDialect() {}

    static void check(Optional<Dialect> configured, Dialect found, DatabaseMetaData database) throws SQLException {
        if (configured.isEmpty() || suits(configured.get(), found)) {
            return;
        }
        throw new OutboxException(
                "OUTBOX-0319",
                "outbox.datasource.dialect is " + word(configured.get()) + ", but the database is "
                        + database.getDatabaseProductName() + " " + database.getDatabaseProductVersion()
                        + ": transactions that publish an event could fail at their commit. Nothing was read or written."
                        + " Set it to " + word(found)
                        + ", or remove it (with a data source of the server, Open Liberty needs it); if this is the"
                        + " wrong database, correct "
                        + OutboxConfigReader.databaseKey().orElse("the definition of java:app/jdbc/outbox"));
    }

    /** MariaDB understands what Hibernate writes for MySQL; the reverse is not promised. */
    private static boolean suits(Dialect configured, Dialect found) {
        return configured == found || configured == Dialect.MYSQL && found == Dialect.MARIADB;
    }

    private static String word(Dialect dialect) {
        return dialect.name().toLowerCase(Locale.ROOT);
    }
}
