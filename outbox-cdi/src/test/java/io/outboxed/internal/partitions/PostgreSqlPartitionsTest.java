package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgreSqlPartitionsTest extends PartitionsContract {
    private static RealPostgres server;

    private long lowest = HistoryPartition.BEGINNING;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start();
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
        return Dialect.POSTGRESQL;
    }

    @Override
    public String withoutTail() {
        return "DROP TABLE " + HISTORY + "_rest";
    }

    @Override
    public List<String> withoutPartitions() {
        return List.of(
                "DROP TABLE " + HISTORY,
                "CREATE TABLE " + HISTORY + " (id UUID NOT NULL, processed_at BIGINT NOT NULL)");
    }

    @Override
    public String addForeign(String name, long to) {
        String from = lowest == HistoryPartition.BEGINNING ? "MINVALUE" : String.valueOf(lowest);
        lowest = to;
        return "CREATE TABLE " + HISTORY + "_" + name + " PARTITION OF " + HISTORY + " FOR VALUES FROM (" + from
                + ") TO (" + to + ")";
    }

    @Test
    void a_partition_of_another_table_name_is_not_dropped_whatever_the_name_says() throws Exception {
        execute("CREATE TABLE p20010101 PARTITION OF " + HISTORY + " FOR VALUES FROM (MINVALUE) TO (1000)");
        run(days(2, Optional.of(DAY)));

        assertThat(layout().partitions()).extracting(HistoryPartition::name).contains("other p20010101");
        execute("DROP TABLE p20010101");
    }

    @Test
    void the_long_tail_of_a_history_becomes_its_first_partition_without_moving_rows() throws Exception {
        execute("INSERT INTO " + HISTORY + " (id, processed_at, seq, shard, lane, type, payload_size, delay_micros,"
                + " registry_version) SELECT gen_random_uuid(), i, i, 7, 7, 'order.placed', 2, 0, 0"
                + " FROM generate_series(1, 20000) AS i");
        PartitionSettings settings = days(2, Optional.empty()).withAnyTail();

        assertThat(run(settings).statements())
                .contains("ALTER TABLE " + HISTORY + " DETACH PARTITION " + HISTORY + "_rest")
                .noneMatch(statement -> statement.startsWith("INSERT") && statement.contains("< " + firstEnd()));
        assertThat(layout().tail()).isEqualTo(HISTORY + "_rest");
    }

    private String firstEnd() {
        try {
            return String.valueOf(layout().partitions().stream()
                    .mapToLong(HistoryPartition::to)
                    .min()
                    .orElseThrow());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
