package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import java.sql.DriverManager;
import org.junit.jupiter.api.AutoClose;

class PostgreSqlOtherNamesTest extends OtherNamesContract {
    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    private static final ConnectionSource SESSIONS =
            new ReusedSessions(() -> DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password()));

    @Override
    ConnectionSource source() {
        return SESSIONS;
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
