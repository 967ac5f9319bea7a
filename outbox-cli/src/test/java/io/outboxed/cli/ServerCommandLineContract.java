package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.servers.database.RealDatabase;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Every command on a database server, which can be down. */
abstract class ServerCommandLineContract extends CommandLineContract {

    abstract RealDatabase server();

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
    ConnectionSource source() {
        return () -> DriverManager.getConnection(url(), user(), password());
    }

    @Test
    void a_database_that_is_killed_during_a_change_loses_nothing_and_the_next_one_goes_on() throws SQLException {
        for (int i = 0; i < 5; i++) {
            tables.dead("order.placed", "" + i, "mail", "down");
        }
        terminal.onPause(count -> {
            if (count == 2) {
                server().kill();
            }
            return true;
        });

        assertThat(run("replay", "--all", "--yes", "--accept-order", "--rate", "1"))
                .isEqualTo(ExitCode.DATABASE);
        assertThat(terminal.output()).contains("2 dead letters were replayed.");
        terminal = new ScriptedTerminal();
        assertThat(run("status")).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal.errors()).contains("The database can't be reached").doesNotContain("\tat ");
        server().restart();
        try (Tables again = Tables.existing(source(), dialect())) {
            assertThat(again.count("message")).isEqualTo(2);
            assertThat(again.count("dead")).isEqualTo(3);
            output("replay", "--all", "--yes", "--accept-order");
            assertThat(again.count("message")).isEqualTo(5);
            assertThat(again.count("dead")).isZero();
        }
    }

    @Test
    void a_wrong_password_is_reported_without_it() {
        terminal.with("OUTBOX_PASSWORD", "secret-4711");
        terminal.with("OUTBOX_URL", url()).with("OUTBOX_USER", user());

        assertThat(Main.run(terminal, "status")).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal.errors()).contains("A privilege is missing").doesNotContain("secret-4711");
    }

    @Test
    void a_password_is_asked_for_but_never_taken_from_an_argument() {
        terminal.with("OUTBOX_URL", url()).with("OUTBOX_USER", user()).answering(password());

        assertThat(Main.run(terminal, "status")).as(terminal.errors()).isZero();
        terminal = new ScriptedTerminal();
        assertThat(run("status", "--url", url() + "&password=secret-4711")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.errors()).contains("OUTBOX_PASSWORD").doesNotContain("secret-4711");
        terminal = new ScriptedTerminal();
        assertThat(run("status", "--password", "x")).isEqualTo(ExitCode.USAGE);
    }
}
