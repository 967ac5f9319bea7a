package io.outboxed.servers.database;

class RealPostgresTest extends RealDatabaseContract {

    @Override
    RealDatabase start(ServerOptions options) {
        return RealPostgres.start(options);
    }
}
