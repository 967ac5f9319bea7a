package io.outboxed.servers.database;

class RealMySqlTest extends RealDatabaseContract {

    @Override
    RealDatabase start(ServerOptions options) {
        return RealMySql.start(options);
    }
}
