package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.NamedLock;
import io.outboxed.internal.database.SqlText;
import io.outboxed.servers.database.RealDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every command on a database server, which can be down. */
abstract class ServerCommandLineContract extends CommandLineContract
        implements KilledDatabaseContract, PartitionsCommandContract {

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
