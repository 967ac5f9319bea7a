package io.outboxed.internal.partitions;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MySqlPartitionsTest extends PartitionsContract implements SubpartitionsContract {
    private static RealMySql server;

    @BeforeAll
    static void startServer() {
        server = RealMySql.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    public Dialect dialect() {
        return Dialect.MYSQL;
    }

    @Override
    public String withoutTail() {
        return "ALTER TABLE " + HISTORY + " DROP PARTITION pmax";
    }

    @Override
    public List<String> withoutPartitions() {
        return List.of("ALTER TABLE " + HISTORY + " REMOVE PARTITIONING");
    }

    /** Names of partitions differ in more than case and accents. */
    @Override
    public Connection refusing(String name, long before) throws SQLException {
        execute(addForeign(name.replace('p', '\u1e55'), before));
        return admin();
    }

    @Override
    public String addForeign(String name, long to) {
        return "ALTER TABLE " + HISTORY + " REORGANIZE PARTITION pmax INTO (PARTITION " + name + " VALUES LESS THAN ("
                + to + "), PARTITION pmax VALUES LESS THAN MAXVALUE)";
    }
}
