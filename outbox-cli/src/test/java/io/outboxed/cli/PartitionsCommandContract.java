package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.operator.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code partitions} plans, changes and refuses on a database server. */
interface PartitionsCommandContract extends CommandRunner {

    @Test
    default void partitions_are_planned_and_then_created() throws SQLException {
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
    default void a_run_that_changes_partitions_says_in_the_audit_who_did_it_and_why() throws SQLException {
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
    default void a_long_history_without_partitions_is_converted_only_on_request() throws SQLException {
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
    default void a_repeated_maintenance_asks_although_there_is_nothing_to_change_yet() throws SQLException {
        makeHistoryAnew();
        assertThat(run("partitions", "--period", "month", "--apply", "--yes")).isZero();
        newTerminal();

        assertThat(run("partitions", "--period", "month", "--apply", "--every", "1h"))
                .isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output()).contains("There is nothing to change.", "Nothing was changed.");
    }

    @Test
    default void a_repeated_maintenance_of_partitions_outlives_a_run_that_was_postponed() throws SQLException {
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
    default void partitions_that_another_session_maintains_are_left_and_the_exit_code_says_so() throws SQLException {
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
    default void a_run_that_nobody_has_confirmed_is_not_made_although_the_preview_has_nothing_to_change()
            throws SQLException {
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

    /** Without partitions, except the tail. */
    private void makeHistoryAnew() throws SQLException {
        tables().run("DROP TABLE outbox_history");
        Tables.empty(source(), dialect()).close();
    }
}
