package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.cli.OutboxProgram.Result;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL in the middle of a command: what it has done is done and recorded, and the next run goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KilledProgramContract {
    private static final int ROWS = 500;
    private static final int LETTERS = 40;
    private static final int MOST_IN_ONE_SPLIT = 8;
    private static final List<String> PARTITIONS =
            List.of("partitions", "--period", "day", "--look-ahead", "60d", "--apply", "--yes");

    @TempDir
    Path directory;

    private Tables tables;

    abstract DatabaseServer database();

    final RealDatabase server() {
        return database().running();
    }

    final Dialect dialect() {
        return database().dialect();
    }

    @BeforeEach
    void emptyTables() throws SQLException {
        tables = Tables.empty(this::connect, dialect());
        tables.run("DROP TABLE outbox_history");
        Tables.empty(this::connect, dialect()).close();
    }

    /** Counts the partitions of the history, and what is changing them now. */
    private String partitions() {
        return dialect().isMySqlFamily()
                ? "SELECT (SELECT COUNT(*) FROM information_schema.partitions WHERE table_schema = DATABASE()"
                        + " AND table_name = 'outbox_history' AND partition_name IS NOT NULL) + 2 * (SELECT COUNT(*) FROM"
                        + " information_schema.processlist WHERE info LIKE 'ALTER TABLE%')"
                : "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = 'outbox_history'::regclass";
    }

    /** The program has PostgreSQL's. */
    private List<String> driver() {
        return dialect().isMySqlFamily()
                ? List.of("--driver-path", OutboxProgram.driverFor(server()).toString())
                : List.of();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(server().url(), server().user(), server().password());
    }

    @AfterEach
    void closeTables() throws SQLException {
        tables.close();
    }

    private Process start(List<String> arguments) throws IOException {
        return program().start(withDriver(arguments));
    }

    private Result run(List<String> arguments) throws IOException, InterruptedException {
        return program().run(withDriver(arguments));
    }

    private OutboxProgram program() {
        return new OutboxProgram(OutboxProgram.JAR, server(), directory);
    }

    private String[] withDriver(List<String> arguments) {
        return Stream.concat(arguments.stream(), driver().stream()).toArray(String[]::new);
    }

    private void killOnce(Callable<Boolean> begun, List<String> arguments) throws Exception {
        Process program = start(arguments);
        try {
            while (!begun.call()) {
                assertThat(program.waitFor(5, TimeUnit.MILLISECONDS))
                        .as("it ended before it was killed")
                        .isFalse();
            }
        } finally {
            program.destroyForcibly().waitFor();
        }
    }

    private int number(String sql) throws SQLException {
        return Integer.parseInt(tables.texts(sql).get(0));
    }

    @Test
    void a_killed_cleanup_has_recorded_what_it_deleted_and_the_next_one_deletes_the_rest() throws Exception {
        for (int i = 0; i < ROWS; i++) {
            tables.history(100);
        }
        tables.history(1);
        List<String> cleanup = List.of("cleanup", "--older-than", "90d", "--yes");

        killOnce(
                () -> tables.count("history") < ROWS - 50,
                List.of("cleanup", "--older-than", "90d", "--yes", "--batch-size", "5"));

        // one statement: the server may still commit the batch that was on its way
        assertThat(number("SELECT (SELECT COUNT(*) FROM outbox_history) + (SELECT SUM(changes) FROM outbox_audit)"))
                .isEqualTo(ROWS + 1);
        assertThat(tables.count("history")).isGreaterThan(1);
        assertThat(run(cleanup).exit()).isZero();
        assertThat(tables.count("history")).isOne();
        assertThat(number("SELECT SUM(changes) FROM outbox_audit")).isEqualTo(ROWS);
    }

    @Test
    void a_killed_replay_has_replayed_each_dead_letter_once_or_not_at_all_and_the_next_one_goes_on() throws Exception {
        for (int i = 0; i < LETTERS; i++) {
            tables.dead("order.placed", "" + i, "mail", "down");
        }
        List<String> replay = List.of("replay", "--all", "--yes", "--allow-reordering");
        String replayed = "SELECT COUNT(DISTINCT aggregate_id) FROM outbox_message";

        killOnce(
                () -> tables.count("message") > 5,
                List.of("replay", "--all", "--yes", "--allow-reordering", "--rate", "5"));

        assertThat(number("SELECT (SELECT COUNT(*) FROM outbox_message) + (SELECT COUNT(*) FROM outbox_dead)"))
                .isEqualTo(LETTERS);
        assertThat(number("SELECT (SELECT COUNT(*) FROM outbox_message) - (SELECT SUM(changes) FROM outbox_audit)"))
                .as("replayed, but not recorded")
                .isZero();
        assertThat(tables.count("dead")).isPositive();
        assertThat(run(replay).exit()).isZero();
        assertThat(tables.count("dead")).isZero();
        assertThat(tables.count("message")).isEqualTo(number(replayed)).isEqualTo(LETTERS);
        assertThat(number("SELECT SUM(changes) FROM outbox_audit")).isEqualTo(LETTERS);
    }

    @Test
    void a_killed_discard_has_recorded_each_dead_letter_that_is_gone_and_the_next_one_goes_on() throws Exception {
        for (int i = 0; i < LETTERS; i++) {
            tables.dead("order.placed", "" + i, "mail", "down");
        }

        killOnce(() -> tables.count("audit") > 5, List.of("discard", "--all", "--yes", "--rate", "5"));

        assertThat(number("SELECT (SELECT COUNT(*) FROM outbox_audit) + (SELECT COUNT(*) FROM outbox_dead)"))
                .isEqualTo(LETTERS);
        assertThat(tables.count("dead")).isPositive();
        assertThat(run(List.of("discard", "--all", "--yes")).exit()).isZero();
        assertThat(tables.count("dead")).isZero();
        assertThat(number("SELECT COUNT(DISTINCT message_id) FROM outbox_audit"))
                .isEqualTo(LETTERS);
    }

    @Test
    void a_killed_drop_has_recorded_each_delivery_that_is_gone_and_the_next_one_goes_on() throws Exception {
        tables.handler("order.placed", "old", true);
        for (int i = 0; i < LETTERS; i++) {
            tables.waiting("order.placed", "" + i, "old");
        }
        List<String> drop = List.of("drop-deliveries", "--handler", "old", "--yes");

        killOnce(
                () -> tables.count("audit") > 5,
                List.of("drop-deliveries", "--handler", "old", "--yes", "--rate", "5"));

        assertThat(number("SELECT (SELECT COUNT(*) FROM outbox_audit) + (SELECT COUNT(*) FROM outbox_delivery)"))
                .isEqualTo(LETTERS);
        assertThat(tables.count("message")).isEqualTo(tables.count("delivery")).isPositive();
        assertThat(run(drop).exit()).isZero();
        assertThat(tables.count("message")).isZero();
        assertThat(tables.count("lane")).isZero();
        assertThat(number("SELECT COUNT(DISTINCT message_id) FROM outbox_audit"))
                .isEqualTo(LETTERS);
    }

    @Test
    void a_killed_run_of_the_partitions_keeps_the_rows_and_the_next_one_goes_on() throws Exception {
        tables.history(0);
        tables.history(3);

        killOnce(() -> number(partitions()) > 2, PARTITIONS);

        theAuditHasEachNewPartition();
        theNextRunGoesOn();
    }

    @Test
    void a_database_that_is_killed_during_a_run_of_the_partitions_keeps_the_rows_and_the_next_run_goes_on()
            throws Exception {
        tables.history(0);
        tables.history(3);
        Process program = start(PARTITIONS);
        try {
            while (number(partitions()) <= 2) {
                assertThat(program.waitFor(5, TimeUnit.MILLISECONDS))
                        .as("it ended before the database was killed")
                        .isFalse();
            }
            server().kill();
            assertThat(program.waitFor()).isEqualTo(ExitCode.DATABASE);
        } finally {
            program.destroyForcibly().waitFor();
        }
        server().restart();
        tables = Tables.existing(this::connect, dialect());

        theAuditHasEachNewPartition();
        theNextRunGoesOn();
    }

    /** What is due is added first: it is killed while old partitions are dropped. */
    @Test
    void a_run_that_is_killed_while_it_drops_partitions_keeps_all_young_rows_and_the_next_one_goes_on()
            throws Exception {
        int old = 60;
        for (int i = 1; i <= old; i++) {
            String name = LocalDate.of(2001, 1, 1).plusDays(i - 1).format(DateTimeFormatter.ofPattern("'p'uuuuMMdd"));
            tables.run(
                    dialect().isMySqlFamily()
                            ? "ALTER TABLE outbox_history REORGANIZE PARTITION pmax INTO (PARTITION " + name
                                    + " VALUES LESS THAN (" + i * 1000 + "), PARTITION pmax VALUES LESS THAN MAXVALUE)"
                            : "CREATE TABLE outbox_history_" + name + " PARTITION OF outbox_history FOR VALUES FROM ("
                                    + (i - 1) * 1000 + ") TO (" + i * 1000 + ")");
        }
        tables.history(0);
        tables.history(3);
        String left = partitionNames().replace("'p2%'", "'p20010%'").replace("_p2%", "_p20010%");
        List<String> maintain =
                List.of("partitions --period month --look-ahead 1d --retention 90d --apply --yes".split(" "));

        try (Connection reader = connect()) {
            if (!dialect().isMySqlFamily()) { // whose drops are slow; PostgreSQL's waits in the middle for its lock
                reader.setAutoCommit(false);
                new Jdbc(reader, dialect()).list("SELECT seq FROM outbox_history_p20010130", row -> row.getLong("seq"));
            }
            killOnce(() -> tables.texts(left).size() < old - 3, maintain);
        }

        int after = tables.texts(left).size();
        assertThat(after).as("it was in the middle").isPositive();
        assertThat(tables.count("history")).isEqualTo(2);
        assertThat(tables.texts("SELECT target FROM outbox_audit"))
                .singleElement()
                .asString()
                .contains("dropped p20010101");
        Result next = untilTheSessionOfTheKilledOneHasEnded(maintain);
        assertThat(next.exit()).as(next.out() + next.err()).isZero();
        assertThat(tables.texts(left)).isEmpty();
        assertThat(tables.count("history")).isEqualTo(2);
        assertThat(run(maintain).out()).contains("There is nothing to change.");
    }

    /** MySQL and MariaDB copy the rows; PostgreSQL renames their table, or moves them. */
    @Test
    void a_conversion_of_a_long_history_that_is_killed_loses_no_row_and_the_next_one_goes_on() throws Exception {
        int rows = 51_200;
        tables.run("INSERT INTO outbox_history (id, processed_at, seq, shard, lane, type, payload_size, delay_micros,"
                + " registry_version) SELECT " + tables.randomId() + ", a.slot * 1024 + b.slot, 1, 7, 7,"
                + " 'order.placed', 0, 0, 0 FROM outbox_lock a, outbox_lock b WHERE b.slot < 50");
        List<String> convert =
                Stream.concat(PARTITIONS.stream(), Stream.of("--convert")).toList();

        killOnce(() -> number(partitions()) > 2, convert);

        if (!dialect().isMySqlFamily()) { // which may complete what it has begun
            assertThat(tables.texts(partitionNames()))
                    .as("it was in the middle")
                    .hasSizeLessThan(60);
        }
        assertThat(tables.count("history")).isEqualTo(rows);
        Result next = untilTheSessionOfTheKilledOneHasEnded(convert);
        assertThat(next.exit()).as(next.out() + next.err()).isZero();
        assertThat(tables.count("history")).isEqualTo(rows);
        assertThat(run(convert).out()).contains("There is nothing to change.");
    }

    /** The server may still commit the change that was on its way. */
    private void theAuditHasEachNewPartition() throws SQLException {
        int counted = number("SELECT changes FROM outbox_audit");
        List<String> made = tables.texts(partitionNames());
        assertThat(made).as("it was in the middle").hasSizeLessThan(60);
        assertThat(made.size() - counted).isBetween(0, dialect().isMySqlFamily() ? MOST_IN_ONE_SPLIT : 1);
        String target = tables.texts("SELECT target FROM outbox_audit").get(0);
        assertThat(made)
                .allSatisfy(name ->
                        assertThat(name).as(target).isLessThanOrEqualTo(target.substring(target.lastIndexOf('p'))));
    }

    /** In the order of their time; the one that is there from the beginning has another name. */
    private String partitionNames() {
        return dialect().isMySqlFamily()
                ? "SELECT partition_name FROM information_schema.partitions WHERE table_schema = DATABASE()"
                        + " AND table_name = 'outbox_history' AND partition_name LIKE 'p2%' ORDER BY 1"
                : "SELECT SUBSTRING(relname FROM 16) FROM pg_inherits JOIN pg_class ON oid = inhrelid"
                        + " WHERE inhparent = 'outbox_history'::regclass AND relname LIKE 'outbox_history_p2%'"
                        + " ORDER BY 1";
    }

    private void theNextRunGoesOn() throws Exception {
        Result next = untilTheSessionOfTheKilledOneHasEnded(PARTITIONS);
        assertThat(next.exit()).as(next.out() + next.err()).isZero();
        assertThat(run(PARTITIONS).out()).contains("There is nothing to change.");
        assertThat(tables.count("history")).isEqualTo(2);
        assertThat(run(List.of("schema", "verify")).out()).contains("The tables match the schema.");
    }

    /** Until the server notices that the program is gone, its session has the lock. */
    private Result untilTheSessionOfTheKilledOneHasEnded(List<String> arguments) throws Exception {
        Result next = run(arguments);
        for (int i = 0; next.exit() == ExitCode.FOUND && i < 20; i++) {
            next = run(arguments);
        }
        return next;
    }
}
