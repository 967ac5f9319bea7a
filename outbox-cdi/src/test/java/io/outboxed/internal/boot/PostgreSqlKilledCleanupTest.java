package io.outboxed.internal.boot;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealPostgres;

class PostgreSqlKilledCleanupTest extends KilledCleanupContract {

    @Override
    RealDatabase start() {
        return RealPostgres.start();
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
