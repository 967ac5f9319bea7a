package io.outboxed.internal.store;

import java.sql.DriverManager;
import java.util.UUID;

class H2RelayStoreTest extends JdbcStoreContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(url, "sa", "");
    }

    @Override
    Dialect dialect() {
        return Dialect.H2;
    }
}
