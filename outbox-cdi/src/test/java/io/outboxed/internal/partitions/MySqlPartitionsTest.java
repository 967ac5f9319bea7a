package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.servers.database.RealMySql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MySqlPartitionsTest extends PartitionsContract implements SubpartitionsContract {
    @AutoClose
    private static final RealMySql SERVER = RealMySql.start();

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
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

    /** What is recorded after the refusal and at the end of the run is the same. */
    @Test
    void a_refusal_is_reported_by_a_driver_that_counts_changed_rows() throws Exception {
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(30))));
        AtomicInteger splits = new AtomicInteger();
        ConnectionSource changedRows = () -> refusingTheSecondSplit(
                DriverManager.getConnection(
                        SERVER.url() + (SERVER.url().contains("?") ? "&" : "?") + "useAffectedRows=true",
                        SERVER.user(),
                        SERVER.password()),
                splits);
        try (OutboxOperations operations = OutboxOperations.open(changedRows, PREFIX)) {
            assertThatThrownBy(() -> operations.partitions().apply(days(12, FOR_EVER), PartitionAuditContract.BOB))
                    .hasStackTraceContaining("too many partitions");
        }
        assertThat(splits).hasValue(2);
        assertThat(new Jdbc(admin(), dialect())
                        .list("SELECT changes FROM " + PREFIX + "audit", row -> row.getInt("changes")))
                .containsExactly(8);
    }

    private static Connection refusingTheSecondSplit(Connection connection, AtomicInteger splits) {
        return WatchedConnection.of(connection, call -> {
            if (call.prepared().contains("REORGANIZE") && splits.incrementAndGet() == 2) {
                throw new SQLException("too many partitions", "HY000", 1499);
            }
            return call.proceed();
        });
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
