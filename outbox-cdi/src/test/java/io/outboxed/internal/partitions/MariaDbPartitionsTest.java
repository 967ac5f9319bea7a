package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

    /** It would be undone at the limit of a relay's connection, and again in each later run. */
    @Test
    void a_change_has_no_limit_of_time_and_the_session_gets_its_own_back() throws Exception {
        execute("SET SESSION max_statement_time = 7");
        List<String> during = new ArrayList<>();

        maintainer(days(2, FOR_EVER)).run(admin(), (jdbc, progress) -> during.add(limit()));

        assertThat(during).isNotEmpty().containsOnly("0.000000");
        assertThat(limit()).isEqualTo("7.000000");
    }

    private String limit() throws SQLException {
        return new Jdbc(admin(), dialect())
                .list("SELECT @@SESSION.max_statement_time AS found", row -> row.getString("found"))
                .get(0);
    }

    @Override
    public String addForeign(String name, long to) {
        return "ALTER TABLE " + HISTORY + " REORGANIZE PARTITION pmax INTO (PARTITION " + name + " VALUES LESS THAN ("
                + to + "), PARTITION pmax VALUES LESS THAN MAXVALUE)";
    }
}
