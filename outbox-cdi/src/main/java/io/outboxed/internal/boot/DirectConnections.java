package io.outboxed.internal.boot;

import io.outboxed.OutboxException;
import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The relay's own connections: to the database of {@code outbox.datasource.url}, without the server's pool. The class
 * for them may be missing.
 */
final class DirectConnections {
    private DirectConnections() {}

    private record ToConfiguredDatabase(ConfiguredDataSource database) implements ConnectionSource {
        @Override
        public Connection open() throws SQLException {
            return database.connect();
        }

        @Override
        public Connection open(Duration answerLimit) throws SQLException {
            ConfiguredDataSource limited = new ConfiguredDataSource();
            limited.setLoginTimeout((int) Math.max(1, answerLimit.toSeconds()));
            return limited.connect();
        }
    }

    /**
     * Bypasses the server's pool if the URL is configured: handlers that exhaust the pool must not stop the heartbeats.
     *
     * @throws OutboxException if the settings name a database, but the jar outbox-datasource, which reads them, is missing
     */
    static ConnectionSource bypassing(DataSource pool) {
        OutboxConfigReader.databaseKey().ifPresent(DirectConnections::requireJar);
        return OutboxConfigReader.dataSourceUrl().isPresent() ? open() : ConnectionSource.shared(pool::getConnection);
    }

    static ConnectionSource open() {
        return new ToConfiguredDatabase(new ConfiguredDataSource());
    }

    private static void requireJar(String key) {
        try {
            new ConfiguredDataSource();
        } catch (NoClassDefFoundError absent) {
            throw new OutboxException(
                    "OUTBOX-0320",
                    key + " is set, but the jar outbox-datasource, which reads it, is not in the application."
                            + " java:app/jdbc/outbox is defined elsewhere, and the relay can't tell whether that is the"
                            + " same database. Nothing was read or written. Remove " + key + " (and"
                            + " outbox.datasource.user, .password); or add the jar, and remove the other definition of"
                            + " java:app/jdbc/outbox",
                    absent);
        }
    }
}
