package io.outboxed.internal.boot;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;

class MySqlKilledCleanupTest extends KilledCleanupContract {

    @Override
    RealDatabase start() {
        return RealMySql.start();
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
    }
}
