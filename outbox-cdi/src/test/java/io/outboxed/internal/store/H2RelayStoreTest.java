package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
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

    /** H2 chooses the victim of a deadlock by itself; what it does to the victim is this. */
    @Override
    public void doom(JdbcDelivery delivery) throws Exception {
        delivery.run("ROLLBACK");
    }

    @Override
    public void setZone(Connection connection) throws Exception {
        new Jdbc(connection, Dialect.H2).update("SET TIME ZONE '+05:30'");
    }
}
