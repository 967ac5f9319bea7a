package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PostgreSqlPartitionsTest extends PartitionsContract implements WaitingWritersContract, OperatorsHistoryContract {
    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    private long lowest = HistoryPartition.BEGINNING;

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
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
    public Connection refusing(String name, long before) throws SQLException {
        execute("CREATE TABLE " + HISTORY + "_" + name + " ()");
        return admin();
    }

    @Override
    public String addForeign(String name, long to) {
        String from = lowest == HistoryPartition.BEGINNING ? "MINVALUE" : String.valueOf(lowest);
        lowest = to;
        return "CREATE TABLE " + HISTORY + "_" + name + " PARTITION OF " + HISTORY + " FOR VALUES FROM (" + from
                + ") TO (" + to + ")";
    }

    /** The database ends a process that is stopped there: its lock keeps every completion of a delivery waiting. */
    @Test
    void inside_a_change_the_session_may_be_idle_for_ten_seconds_and_afterwards_for_as_long_as_before()
            throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET idle_in_transaction_session_timeout = '7min'");
            List<String> during = new ArrayList<>();

            new PartitionMaintainer(dialect(), PREFIX, days(2, Optional.of(DAY)))
                    .run(connection, (jdbc, progress) -> during.add(idleLimit(jdbc)));

            assertThat(during).isNotEmpty().containsOnly("10s");
            assertThat(idleLimit(new Jdbc(connection, dialect()))).isEqualTo("7min");
        }
    }

    private static String idleLimit(Jdbc jdbc) throws SQLException {
        return jdbc.first(
                        "SELECT current_setting('idle_in_transaction_session_timeout') AS found",
                        row -> row.getString("found"))
                .orElseThrow();
    }

    @Test
    void one_that_cannot_be_dropped_keeps_no_later_one_from_being_dropped() throws Exception {
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(30))));
        execute(addForeign("p20010102", rows().ago(DAY.multipliedBy(20))));
        execute("CREATE VIEW report AS SELECT * FROM " + HISTORY + "_p20010101");
        try {
            assertThatThrownBy(() -> run(days(2, Optional.of(DAY.multipliedBy(7)))))
                    .hasStackTraceContaining("other objects depend on it");
            assertThat(layout().partitions())
                    .extracting(HistoryPartition::name)
                    .contains("p20010101")
                    .doesNotContain("p20010102");
        } finally {
            execute("DROP VIEW report");
        }
        run(days(2, Optional.of(DAY.multipliedBy(7))));
        assertThat(layout().partitions()).extracting(HistoryPartition::name).doesNotContain("p20010101");
    }

    @Test
    void one_that_cannot_be_dropped_is_reported_also_if_a_later_one_is_locked() throws Exception {
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(30))));
        execute(addForeign("p20010102", rows().ago(DAY.multipliedBy(20))));
        execute("CREATE VIEW report AS SELECT * FROM " + HISTORY + "_p20010101");
        try (Connection reader = connect();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT * FROM " + HISTORY + "_p20010102");

            assertThatThrownBy(() -> run(days(2, Optional.of(DAY.multipliedBy(7)))))
                    .hasStackTraceContaining("other objects depend on it")
                    .hasStackTraceContaining("lock timeout");
        } finally {
            execute("DROP VIEW report");
        }
    }

    @Test
    @Timeout(60)
    void a_partition_that_is_detached_between_two_drops_of_a_run_is_kept() throws Exception {
        String archived = HISTORY + "_p20010102";
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(30))));
        execute(addForeign("p20010102", rows().ago(DAY.multipliedBy(20))));
        rows().history(rows().ago(DAY.multipliedBy(21)), 3);
        run(days(2, FOR_EVER));
        ExecutorService thread = Executors.newSingleThreadExecutor();
        List<Future<?>> archive = new ArrayList<>();
        try (Connection other = connect()) {
            BatchRecorder<PartitionProgress> detaching = (jdbc, progress) -> {
                archive.add(thread.submit(() ->
                        new Jdbc(other, dialect()).update("ALTER TABLE " + HISTORY + " DETACH PARTITION " + archived)));
                WaitingWritersContract.waitUntilThisKeepsAnotherWaiting(jdbc);
            };

            assertThatThrownBy(() -> maintainer(days(2, Optional.of(DAY.multipliedBy(7))))
                            .run(admin(), detaching))
                    .hasStackTraceContaining("\"" + archived + "\" is not a partition of relation");
            archive.get(0).get();
            assertThat(archive).as("of the first drop alone").hasSize(1);
            assertThat(count(archived)).isEqualTo(3);
        } finally {
            thread.shutdownNow();
            execute("DROP TABLE IF EXISTS " + archived);
        }
        assertThat(run(days(2, Optional.of(DAY.multipliedBy(7))))).isEqualTo(new PartitionRun.Done(List.of()));
    }

    @Test
    void a_partition_of_another_table_name_is_not_dropped_whatever_the_name_says() throws Exception {
        execute("CREATE TABLE p20010101 PARTITION OF " + HISTORY + " FOR VALUES FROM (MINVALUE) TO (1000)");
        run(days(2, Optional.of(DAY)));

        assertThat(layout().partitions()).extracting(HistoryPartition::name).contains("other p20010101");
        execute("DROP TABLE p20010101");
    }

    @Test
    void a_partition_that_was_moved_to_another_schema_stays_and_the_others_are_dropped() throws Exception {
        execute("DROP SCHEMA IF EXISTS archive CASCADE");
        execute("CREATE SCHEMA archive");
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(30))));
        execute(addForeign("p20010102", rows().ago(DAY.multipliedBy(20))));
        rows().history(rows().ago(DAY.multipliedBy(31)), 1);
        rows().history(rows().ago(DAY.multipliedBy(21)), 2);
        execute("ALTER TABLE " + HISTORY + "_p20010101 SET SCHEMA archive");

        assertThat(run(days(2, Optional.of(DAY.multipliedBy(7)))).statements())
                .contains("DROP TABLE " + HISTORY + "_p20010102");
        assertThat(layout().partitions())
                .extracting(HistoryPartition::name)
                .contains("other archive." + HISTORY + "_p20010101")
                .doesNotContain("p20010102");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_tail_in_another_schema_is_unsuitable() throws Exception {
        execute("CREATE SCHEMA IF NOT EXISTS archive");
        execute("ALTER TABLE " + HISTORY + "_rest SET SCHEMA archive");

        assertThatThrownBy(() -> run(days(2, FOR_EVER)))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("its default partition archive." + HISTORY + "_rest is in another schema");
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

    @Test
    void rows_of_the_tail_that_take_too_long_to_move_are_left_alone_and_old_partitions_are_dropped() throws Exception {
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(30))));
        long rowOfTheTail = aRowOfTheTailThatTakes("60");
        PartitionRun run;
        try (Connections connections = new Connections(this::connect, dialect(), 1);
                CapturedLog log = new CapturedLog()) {
            run = connections.autoCommit(jdbc ->
                    maintainer(days(12, Optional.of(DAY.multipliedBy(7)))).run(jdbc.connection()));
            assertThat(log.lines)
                    .anyMatch(line ->
                            line.contains("OUTBOX-0466") && line.contains(HISTORY + "_rest") && line.contains("5 s"));
        }
        assertThat(run).isInstanceOf(PartitionRun.TailTooLong.class);
        assertThat(run.statements()).endsWith("DROP TABLE " + HISTORY + "_p20010101");
        assertThat(countTail()).isEqualTo(1);
        assertThat(lastEnd()).as("later partitions would leave a gap").isLessThan(rowOfTheTail);
    }

    @Test
    void a_conversion_has_no_limit_of_time_not_even_the_sessions() throws Exception {
        aRowOfTheTailThatTakes("0.5");
        execute("SET statement_timeout = '200ms'");

        assertThat(run(days(12, FOR_EVER).withAnyTail())).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
        assertThat(new Jdbc(admin(), dialect())
                        .list("SELECT current_setting('statement_timeout') AS found", row -> row.getString("found")))
                .as("afterwards")
                .containsExactly("200ms");
    }

    @Test
    void nor_a_limit_of_its_transactions() throws Exception {
        Jdbc jdbc = new Jdbc(admin(), dialect());
        Assumptions.assumeThat(jdbc.exists("SELECT 1 AS found FROM pg_settings WHERE name = 'transaction_timeout'"))
                .as("PostgreSQL has it from version 17 on")
                .isTrue();
        aRowOfTheTailThatTakes("0.7");
        execute("SET transaction_timeout = '500ms'");

        assertThat(run(days(12, FOR_EVER).withAnyTail())).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
    }

    @Test
    void a_relays_limit_of_time_ends_a_statement_before_the_network_does() throws Exception {
        RelayConnection relay = RelayConnection.open(this::connect, dialect());
        assertThat(PartitionSettings.DEFAULT_STATEMENT_LIMIT)
                .isLessThan(Duration.ofMillis(relay.connection().getNetworkTimeout()));
        relay.close();
    }

    /** As a row with a payload that is large enough. */
    private long aRowOfTheTailThatTakes(String seconds) throws SQLException {
        run(days(2, FOR_EVER));
        long time = rows().ago(DAY.multipliedBy(-10));
        rows().history(time, 1);
        execute("ALTER TABLE " + HISTORY + " ADD CONSTRAINT slow CHECK (pg_sleep(" + seconds
                + ")::TEXT IS NOT NULL) NOT VALID");
        return time;
    }

    private long lastEnd() throws SQLException {
        return layout().partitions().stream()
                .mapToLong(HistoryPartition::to)
                .max()
                .orElseThrow();
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
