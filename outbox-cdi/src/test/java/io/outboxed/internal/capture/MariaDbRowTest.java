package io.outboxed.internal.capture;

import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;

class MariaDbRowTest extends RowContract implements OneRoundTripContract {
    private final RealMariaDb server;

    MariaDbRowTest() throws Exception {
        server = RealMariaDb.start();
        System.setProperty("maria.url", server.url());
        System.setProperty("maria.user", server.user());
        System.setProperty("maria.password", server.password());
    }

    @Override
    DataSource source() {
        ConfiguredDataSource source = new ConfiguredDataSource();
        source.setPrefix("maria");
        return source;
    }

    @Override
    public Dialect dialect() {
        return Dialect.MARIADB;
    }

    @Override
    public RealDatabase server() {
        return server;
    }

    @AfterAll
    void stop() throws Exception {
        List.of("maria.url", "maria.user", "maria.password").forEach(System::clearProperty);
        server.close();
    }
}
