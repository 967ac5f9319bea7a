package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.sql.DriverManager;
import java.util.UUID;

class H2BigRunTest extends BigRunContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(url, "sa", "");
    }

    @Override
    Dialect dialect() {
        return Dialect.H2;
    }

    @Override
    String prefix() {
        return "outboxed.shop_";
    }
}
