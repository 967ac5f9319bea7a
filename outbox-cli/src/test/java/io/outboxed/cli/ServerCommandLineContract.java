package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.NamedLock;
import io.outboxed.internal.database.SqlText;
import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every command on a database server, which can be down. */
abstract class ServerCommandLineContract extends CommandLineContract implements KilledDatabaseContract {

    abstract DatabaseServer database();

    @Override
    public final RealDatabase server() {
        return database().running();
    }

    @Override
    public final Dialect dialect() {
        return database().dialect();
    }

    @Override
    String url() {
        return server().url();
    }

    @Override
    String user() {
        return server().user();
    }

    @Override
    String password() {
        return server().password();
    }

    @Override
    public ConnectionSource source() {
        return () -> DriverManager.getConnection(url(), user(), password());
    }

    @Test
    void a_transaction_that_stays_prepared_is_found() throws SQLException {
        assertThat(output("check")).contains("ok       XA: no transaction is prepared");
        boolean postgres = dialect() == Dialect.POSTGRESQL;
        runAlone(
                postgres
                        ? List.of("BEGIN", "UPDATE outbox_shard SET epoch = epoch", "PREPARE TRANSACTION 'doubtful'")
                        : List.of(
                                "XA START 'doubtful'",
                                "UPDATE outbox_shard SET epoch = epoch + 1",
                                "XA END 'doubtful'",
                                "XA PREPARE 'doubtful'"));
        try {
            newTerminal();
            assertThat(output("check")).contains("warning  XA: 1 prepared transaction: until they end");
        } finally {
            runAlone(List.of(postgres ? "ROLLBACK PREPARED 'doubtful'" : "XA ROLLBACK 'doubtful'"));
        }
    }

    @Test
    void a_cleanup_beside_another_session_that_deletes_old_rows_says_so() throws SQLException {
        tables().history(100);
        NamedLock lock = new NamedLock(new SqlText(dialect(), "outbox_"), "outbox_cleanup");
        try (Connection other = source().open()) {
            assertThat(new Jdbc(other, dialect()).number(lock.tryLock())).hasValue(1);

            assertThat(run("cleanup", "--older-than", "90d", "--yes")).isEqualTo(ExitCode.DATABASE);
        }
        assertThat(terminal().errors())
                .isEqualToIgnoringNewLines("outbox: another session has been deleting old rows for 5 s; this batch"
                        + " changed nothing, earlier ones remain: run the command again");
        assertThat(terminal().output()).contains("Deleted: 0 rows of history.").doesNotContain("in use");
        assertThat(output("cleanup", "--older-than", "90d", "--yes")).contains("Deleted: 1 row of history.");
    }

    private void runAlone(List<String> statements) throws SQLException {
        try (Connection connection = source().open();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "replay --all --yes --allow-reordering, 2 dead letters were replayed.",
        "discard --all --yes, 2 dead letters were discarded.",
        "drop-deliveries --handler old --yes, 2 deliveries were dropped."
    })
    void a_database_that_is_killed_during_a_change_loses_nothing_and_the_next_one_goes_on(String command, String done)
            throws SQLException {
        tables().handler("order.placed", "old", true);
        for (int i = 0; i < 5; i++) {
            if (command.startsWith("drop")) {
                tables().waiting("order.placed", "" + i, "old");
            } else {
                tables().dead("order.placed", "" + i, "mail", "down");
            }
        }
        killedDuring(command + " --rate 1", () -> {
            assertThat(terminal().output()).contains(done);
            newTerminal();
            assertThat(run("status")).isEqualTo(ExitCode.DATABASE);
            assertThat(terminal().errors())
                    .contains("The database can't be reached")
                    .doesNotContain("\tat ");
        });

        try (Tables again = Tables.existing(source(), dialect())) {
            assertThat(List.of(changed(again), again.count("dead") + again.count("delivery")))
                    .containsExactly(2, 3);
            output(command.split(" "));
            assertThat(List.of(changed(again), again.count("dead") + again.count("delivery")))
                    .containsExactly(5, 0);
            assertThat(again.count("message")).isEqualTo(command.startsWith("replay") ? 5 : 0);
        }
    }

    /** As the audit says. */
    private static int changed(Tables tables) throws SQLException {
        return Integer.parseInt(
                tables.texts("SELECT SUM(changes) FROM outbox_audit").get(0));
    }

    @Test
    void a_repeated_cleanup_outlives_a_kill_of_its_database() throws SQLException {
        tables().history(100);
        terminal().onPause(count -> {
            if (count == 1) {
                server().kill();
            } else if (count == 2) {
                server().restart();
                addHistory();
            }
            return count < 3;
        });

        assertThat(run("cleanup", "--older-than", "90d", "--every", "1h", "--yes", "--json"))
                .isZero();
        assertThat(terminal().output().lines())
                .containsExactly(
                        "{\"deleted\":{\"history\":1},\"left\":{\"history\":0},\"atLeast\":[]}",
                        "{\"deleted\":{\"history\":0}}",
                        "{\"deleted\":{\"history\":1},\"left\":{\"history\":0},\"atLeast\":[]}");
        assertThat(terminal().errors())
                .containsOnlyOnce("failed with vendor code")
                .containsOnlyOnce("outbox: the next run follows in 3,600 s");
    }

    private void addHistory() {
        try (Tables again = Tables.existing(source(), dialect())) {
            again.history(100);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_repeated_maintenance_of_partitions_outlives_a_run_that_was_postponed() throws SQLException {
        makeHistoryAnew();
        try (Connection report = source().open()) {
            report.setAutoCommit(false);
            new Jdbc(report, dialect()).list("SELECT seq FROM outbox_history", row -> row.getLong("seq"));
            terminal().onPause(count -> {
                end(report);
                return count < 2;
            });

            assertThat(run("partitions", "--period", "month", "--apply", "--yes", "--every", "1h", "--json"))
                    .as(terminal().errors())
                    .isZero();
        }
        assertThat(terminal().output().lines()).hasSize(2);
        assertThat(terminal().output()).containsSubsequence("\"result\":\"postponed\"", "\"result\":\"done\"");
        assertThat(terminal().errors()).containsOnlyOnce("outbox: the next run follows in 3,600 s");
    }

    @Test
    void a_repeated_maintenance_asks_although_there_is_nothing_to_change_yet() throws SQLException {
        makeHistoryAnew();
        assertThat(run("partitions", "--period", "month", "--apply", "--yes")).isZero();
        newTerminal();

        assertThat(run("partitions", "--period", "month", "--apply", "--every", "1h"))
                .isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output()).contains("There is nothing to change.", "Nothing was changed.");
    }

    @Test
    void partitions_that_another_session_maintains_are_left_and_the_exit_code_says_so() throws SQLException {
        makeHistoryAnew();
        try (Connection other = source().open()) {
            new Jdbc(other, dialect()).list(lockOfPartitions(), row -> row.getString("found"));

            assertThat(run("partitions", "--period", "month", "--apply", "--yes"))
                    .isEqualTo(ExitCode.FOUND);
            assertThat(terminal().output()).contains("Another session maintains the partitions now");
        }
    }

    /** The plan of a run is a new one, and a period may have ended since the preview. */
    @Test
    void a_run_that_nobody_has_confirmed_is_not_made_although_the_preview_has_nothing_to_change() throws SQLException {
        makeHistoryAnew();
        output("partitions", "--period", "month", "--apply", "--yes");
        try (Connection other = source().open()) {
            new Jdbc(other, dialect()).list(lockOfPartitions(), row -> row.getString("found"));

            assertThat(run("partitions", "--period", "month", "--apply", "--yes"))
                    .as("a run is kept out by the other session")
                    .isEqualTo(ExitCode.FOUND);
            assertThat(output("partitions", "--period", "month", "--apply"))
                    .contains("There is nothing to change.", "0 statements were executed.");
            assertThat(json("partitions", "--period", "month", "--apply", "--json"))
                    .isEqualToIgnoringNewLines("{\"result\":\"done\",\"statements\":[]}");
        }
    }

    private String lockOfPartitions() {
        return dialect() == Dialect.POSTGRESQL
                ? "SELECT pg_advisory_lock(hashtextextended('outboxed.' || current_schema() || '.outbox_history', 0))"
                        + " AS found"
                : "SELECT GET_LOCK(CONCAT('outboxed.', SUBSTR(SHA2(CONCAT(DATABASE(), '.outbox_history'), 256), 1, 32)), 0) AS found";
    }

    private static void end(Connection transaction) {
        try {
            transaction.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void partitions_are_planned_and_then_created() throws SQLException {
        makeHistoryAnew();
        assertThat(output("partitions", "--period", "month", "--look-ahead", "60d"))
                .as("the plan is SQL")
                .containsAnyOf("REORGANIZE PARTITION", "ATTACH PARTITION");
        assertThat(run("partitions", "--period", "month", "--look-ahead", "60d", "--apply"))
                .isEqualTo(ExitCode.UNCONFIRMED);
        String plan = json("partitions", "--period", "month", "--look-ahead", "60d", "--json");
        assertThat(plan).as("nothing was changed").doesNotContain("\"statements\":[]");
        assertThat(plan).contains("\"tailRows\":0,", "\"atLeast\":[]");
        newTerminal();
        assertThat(run("partitions", "--period", "month", "--look-ahead", "60d", "--apply", "--json"))
                .isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output()).as("the preview").isEqualTo(plan);

        output("partitions", "--period", "month", "--look-ahead", "60d", "--apply", "--yes");
        assertThat(output("partitions", "--period", "month", "--look-ahead", "60d", "--apply"))
                .contains("There is nothing to change.", "0 statements were executed.");
        assertThat(output("schema", "verify")).contains("The tables match the schema.");
    }

    @Test
    void a_run_that_changes_partitions_says_in_the_audit_who_did_it_and_why() throws SQLException {
        makeHistoryAnew();
        List<String> apply = List.of("partitions", "--period", "month", "--look-ahead", "60d", "--apply", "--yes");
        output("partitions", "--period", "month", "--look-ahead", "60d");
        assertThat(tables().count("audit")).as("only planned").isZero();

        for (int run = 0; run < 2; run++) {
            output(Stream.concat(apply.stream(), Stream.of("--by", "alice", "--reason", "a new quarter"))
                    .toArray(String[]::new));
        }
        assertThat(tables().texts("SELECT CONCAT(changed_by, ' ', changed_via, ' ', action, ': ', reason, ': ', target)"
                        + " FROM outbox_audit"))
                .singleElement()
                .asString()
                .matches("alice( \\(\\S+\\))? cli partitions: a new quarter: created p\\d{6} to p\\d{6}");
        assertThat(run("partitions", "--period", "month", "--apply", "--yes", "--by", ""))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_long_history_without_partitions_is_converted_only_on_request() throws SQLException {
        makeHistoryAnew();
        tables().run("INSERT INTO outbox_history (id, processed_at, seq, shard, lane, type, payload_size, delay_micros,"
                + " registry_version) SELECT " + tables().randomId()
                + ", a.slot * 1024 + b.slot,"
                + " 1, 7, 7, 'order.placed', 0, 0, 0 FROM outbox_lock a, outbox_lock b WHERE b.slot < 10");

        assertThat(output("partitions", "--period", "month", "--look-ahead", "365d"))
                .contains("The tail has at least 10,001 rows", "pass --convert");
        assertThat(json("partitions", "--period", "month", "--look-ahead", "365d", "--json"))
                .contains("\"tailRows\":10001,\"tailTooLong\":true,\"refusal\":null,\"atLeast\":[\"tailRows\"]");
        assertThat(json("partitions", "--period", "month", "--look-ahead", "365d", "--convert", "--json"))
                .contains("\"tailRows\":10240,", "\"atLeast\":[]");
        assertThat(run("partitions", "--period", "month", "--look-ahead", "365d", "--apply", "--yes"))
                .isEqualTo(ExitCode.FOUND);
        assertThat(terminal().output()).contains("Partitions are missing");
        assertThat(output("partitions", "--period", "month", "--look-ahead", "365d", "--apply", "--convert", "--yes"))
                .contains("statements were executed.")
                .doesNotContain("0 statements");
        assertThat(tables().count("history")).isEqualTo(10_240);
        assertThat(output("partitions", "--period", "month", "--look-ahead", "365d", "--convert"))
                .contains("There is nothing to change.");
    }

    @Test
    void counts_that_stopped_at_their_limit_mean_at_least() throws SQLException {
        tables().waiting("order.placed", "1", "mail");
        tables().manyWaiting("mail");
        tables().manyDead("mail");

        assertThat(output("status"))
                .containsPattern("waiting +at least 100,000\n")
                .containsPattern("dead +at least 100,000\n")
                .containsPattern("parked +0\n");
        assertThat(output("failures"))
                .containsPattern("(?m)^10,000 +mail ")
                .contains("At least 10,000 dead letters match. Only the newest are counted.");
        assertThat(json("failures", "--json")).contains("\"matched\":10000,\"atLeast\":[\"matched\"]");
    }

    /** Without partitions, except the tail. */
    private void makeHistoryAnew() throws SQLException {
        tables().run("DROP TABLE outbox_history");
        Tables.empty(source(), dialect()).close();
    }

    @Test
    void a_wrong_password_is_reported_without_it() {
        terminal().with("OUTBOX_PASSWORD", "secret-4711");
        terminal().with("OUTBOX_URL", url()).with("OUTBOX_USER", user());

        assertThat(Main.run(terminal(), "status")).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal().errors()).contains("A privilege is missing").doesNotContain("secret-4711");
    }

    @Test
    void a_password_is_asked_for_but_never_taken_from_an_argument() {
        terminal().with("OUTBOX_URL", url()).with("OUTBOX_USER", user()).answering(password());

        assertThat(Main.run(terminal(), "status")).as(terminal().errors()).isZero();
        newTerminal();
        terminal().with("OUTBOX_URL", urlWith("user=" + user())).with("OUTBOX_PASSWORD", password());
        assertThat(Main.run(terminal(), "status")).as(terminal().errors()).isZero();
        newTerminal();
        assertThat(run("status", "--url", urlWith("password=secret-4711"))).isEqualTo(ExitCode.USAGE);
        assertThat(terminal().errors()).contains("OUTBOX_PASSWORD").doesNotContain("secret-4711");
        newTerminal();
        assertThat(run("status", "--password", "x")).isEqualTo(ExitCode.USAGE);
    }

    private String urlWith(String parameter) {
        return url() + (url().contains("?") ? "&" : "?") + parameter;
    }
}
