package io.outboxed.internal.capture;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealPostgres;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresRowTest extends RowContract implements OneRoundTripContract {
    private final RealPostgres server = RealPostgres.start();

    @Override
    DataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.url());
        source.setUser(server.user());
        source.setPassword(server.password());
        return source;
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public RealDatabase server() {
        return server;
    }

    @AfterAll
    void stop() {
        server.close();
    }
}
