package io.outboxed.internal.boot;

import io.outboxed.OutboxException;
import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.database.ConnectionSource;

/**
 * Connections to the database of {@code outbox.datasource.url}, without the server's pool. The class for them may be
 * missing.
 */
final class DirectConnections {
    private DirectConnections() {}

    /** @throws OutboxException if the jar outbox-datasource is missing */
    static ConnectionSource open() {
        try {
            return new ConfiguredDataSource()::connect;
        } catch (NoClassDefFoundError absent) {
            throw new OutboxException(
                    "OUTBOX-0320",
                    "outbox.datasource.url is set, but the jar outbox-datasource, which reads it, is not in the"
                            + " application:"
                            + " the relay can't tell whether that is the database behind java:app/jdbc/outbox. Nothing"
                            + " was read or written. Add the jar, or remove outbox.datasource.url (and .user,"
                            + " .password) if"
                            + " the application or its server defines java:app/jdbc/outbox",
                    absent);
        }
    }
}
