package io.outboxed.internal.partitions;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbPartitionsTest extends PartitionsContract implements SubpartitionsContract {
    @AutoClose
    private static final RealMariaDb SERVER = RealMariaDb.start();

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }

    @Override
    public Dialect dialect() {
        return Dialect.MARIADB;
    }

    @Override
    public String withoutTail() {
        return "ALTER TABLE " + HISTORY + " DROP PARTITION pmax";
    }

    @Override
    public List<String> withoutPartitions() {
        return List.of("ALTER TABLE " + HISTORY + " REMOVE PARTITIONING");
    }

    /** Says so itself: nothing was found that MariaDB refuses to create and yet drops. */
    @Override
    public Connection refusing(String name, long before) {
        return WatchedConnection.of(admin(), call -> {
            if (call.prepared().contains("REORGANIZE")) {
                throw new SQLException("too many partitions", "HY000", 1499);
            }
            return call.proceed();
        });
    }

    @Override
    public String addForeign(String name, long to) {
        return "ALTER TABLE " + HISTORY + " REORGANIZE PARTITION pmax INTO (PARTITION " + name + " VALUES LESS THAN ("
                + to + "), PARTITION pmax VALUES LESS THAN MAXVALUE)";
    }
}
