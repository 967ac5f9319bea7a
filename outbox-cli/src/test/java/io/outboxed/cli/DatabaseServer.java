package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database server for all tests of a class: register it in a static field. */
final class DatabaseServer implements BeforeAllCallback, AfterAllCallback {
    private final Dialect dialect;
    private final ServerOptions options;
    private RealDatabase running;

    private DatabaseServer(Dialect dialect, ServerOptions options) {
        this.dialect = dialect;
        this.options = options;
    }

    static DatabaseServer of(Dialect dialect) {
        return new DatabaseServer(dialect, ServerOptions.temporary());
    }

    /** With the settings that {@code outbox check} wants. */
    static DatabaseServer durable(Dialect dialect) {
        return new DatabaseServer(dialect, ServerOptions.temporary().durably());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = switch (dialect) {
            case MYSQL -> RealMySql.start(options);
            case MARIADB -> RealMariaDb.start(options);
            case POSTGRESQL -> RealPostgres.start(options);
            case H2 -> throw new IllegalArgumentException("H2 runs in the process");
        };
    }

    @Override
    public void afterAll(ExtensionContext context) {
        running.close();
    }

    Dialect dialect() {
        return dialect;
    }

    RealDatabase running() {
        return running;
    }
}
