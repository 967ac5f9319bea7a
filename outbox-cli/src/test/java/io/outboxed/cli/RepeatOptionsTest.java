package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.cli.arguments.Age;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** After which runs another one follows. */
class RepeatOptionsTest {
    private static final StoreException AWAY = new StoreException("connecting failed", true, null);
    private static final StoreException DENIED = new StoreException("DELETE outbox_history failed", false, null);

    private final ScriptedTerminal terminal = new ScriptedTerminal();
    private final RepeatOptions repeat = new RepeatOptions(terminal);
    private final Deque<IntSupplier> runs = new ArrayDeque<>();

    private int run() {
        terminal.onPause(count -> !runs.isEmpty());
        return repeat.run(() -> runs.remove().getAsInt());
    }

    private static int failing(StoreException failure) {
        throw failure;
    }

    @Test
    void another_run_follows_what_the_next_one_may_do_better() {
        repeat.every = new Age(Duration.ofMinutes(1));
        runs.addAll(List.of(() -> ExitCode.FOUND, () -> failing(AWAY), () -> ExitCode.OK));

        assertThat(run()).isEqualTo(ExitCode.OK);
        assertThat(terminal.errors().lines())
                .containsExactly(
                        "outbox: the next run follows in 60 s",
                        "outbox: connecting failed",
                        "outbox: the next run follows in 60 s");
    }

    @Test
    void so_it_does_after_a_statement_that_the_database_has_ended_at_its_limit_of_time() {
        StoreException cancelled =
                SqlFailure.toStoreException("SELECT outbox_history", new SQLException("canceling statement", "57014"));
        repeat.every = new Age(Duration.ofMinutes(1));
        runs.addAll(List.of(() -> failing(cancelled), () -> ExitCode.OK));

        assertThat(run()).isEqualTo(ExitCode.OK);
    }

    @Test
    void an_error_that_stays_is_the_end() {
        repeat.every = new Age(Duration.ofMinutes(1));
        runs.addAll(List.of(() -> failing(DENIED), () -> ExitCode.OK));

        assertThatThrownBy(this::run).isSameAs(DENIED);
        assertThat(runs).hasSize(1);
    }

    /** A supervisor restarts it with the new password. */
    @Test
    void so_is_a_login_that_is_refused_although_a_relay_would_wait_for_better_times() {
        for (SQLException reason : List.of(
                new SQLInvalidAuthorizationSpecException("wrong password", "28P01"),
                new SQLException("no such database", "3D000"),
                new SQLSyntaxErrorException("MySQL: unknown database", "42000", 1049),
                new SQLSyntaxErrorException("MySQL: no right to this database", "42000", 1044))) {
            StoreException refused = new StoreException(
                    "the relay's connection failed", true, new SQLTransientConnectionException(reason));
            repeat.every = new Age(Duration.ofMinutes(1));
            runs.clear();
            runs.addAll(List.of(() -> failing(refused), () -> ExitCode.OK));

            assertThatThrownBy(this::run).as(reason.getMessage()).isSameAs(refused);
            assertThat(runs).hasSize(1);
        }
    }

    @Test
    void a_command_that_is_not_repeated_ends_with_its_own_code_or_error() {
        runs.addAll(List.of(() -> ExitCode.FOUND, () -> failing(AWAY), () -> ExitCode.OK));

        assertThat(run()).isEqualTo(ExitCode.FOUND);
        assertThatThrownBy(this::run).isSameAs(AWAY);
        assertThat(runs).hasSize(1);
        assertThat(terminal.errors()).isEmpty();
    }
}
