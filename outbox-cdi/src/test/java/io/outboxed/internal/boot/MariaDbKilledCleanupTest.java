package io.outboxed.internal.boot;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbKilledCleanupTest extends KilledCleanupContract {

    @Override
    RealDatabase start() {
        return RealMariaDb.start();
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }
}
