package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.store.InboxRetention;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

final class JdbcInboxRetention implements InboxRetention {
    private final Connections connections;
    private final Sql sql;

    JdbcInboxRetention(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    @Override
    public int forget(Duration age, int most) {
        return connections.read(jdbc -> jdbc.update(sql.forgetReceived, TimeUnit.MICROSECONDS.convert(age), most));
    }
}
