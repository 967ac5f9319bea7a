package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.internal.database.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which exit code an exception becomes, and its message. */
class ErrorReportTest {
    private final ScriptedTerminal terminal = new ScriptedTerminal();
    private final ErrorReport report = new ErrorReport(terminal);

    @Test
    void a_failure_of_the_database_is_one_line() {
        int code = report.handleExecutionException(new StoreException("connecting failed", true, null), null, null);

        assertThat(code).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal.errors()).isEqualTo("outbox: connecting failed\n");
    }

    /** The name of who started an operation may come from a table. */
    @Test
    void what_a_message_quotes_does_not_control_the_terminal() {
        report.handleExecutionException(new StoreException("of \u009b2J\u202e:\n\tmore", true, null), null, null);
        assertThat(terminal.errors()).isEqualTo("outbox: of  2J :\n\tmore\n");

        ScriptedTerminal second = new ScriptedTerminal();
        assertThat(new ErrorReport(second).handleExecutionException(running("bob\u009b2J\u202e\nforged"), null, null))
                .isEqualTo(ExitCode.FOUND);
        assertThat(second.errors()).isEqualTo("outbox: bob 2J  forged has started another one\n");
    }

    private static OperationRunningException running(String who) {
        BulkRequest request = BulkRequest.discard(DeadLetterFilter.all());
        BulkOperation operation = new BulkOperation(
                UUID.randomUUID(),
                request,
                Attribution.of("bob", ""),
                BulkOperation.State.RUNNING,
                1,
                0,
                Instant.EPOCH,
                null);
        return new OperationRunningException(operation) {
            @Override
            public String getMessage() {
                return who + " has started another one";
            }
        };
    }

    /** 1 would say that a check has found a problem. */
    @Test
    void an_error_in_the_program_has_a_code_of_its_own_and_its_stack_trace() {
        int code = report.handleExecutionException(new IllegalStateException("a bug"), null, null);

        assertThat(code).isEqualTo(ExitCode.SOFTWARE);
        assertThat(terminal.errors())
                .startsWith("java.lang.IllegalStateException: a bug\n\tat ")
                .endsWith("outbox: an error in the program; changes already made remain. Please report it.\n");
    }

    @Test
    void an_error_that_no_command_can_catch_has_the_same_code() {
        ScriptedTerminal exhausted = new ScriptedTerminal() {
            @Override
            public String variable(String name) {
                throw new OutOfMemoryError("Java heap space");
            }
        };

        assertThat(Main.run(exhausted, "status")).isEqualTo(ExitCode.SOFTWARE);
        assertThat(exhausted.errors())
                .contains("OutOfMemoryError: Java heap space")
                .endsWith("Please report it.\n");
    }

    /** Whoever saves a schema or a list goes on with what is only a part of it. */
    @Test
    void output_that_is_not_written_is_no_success() {
        for (String command : List.of("schema print --database h2", "generate-completion", "--help")) {
            ScriptedTerminal full = new ScriptedTerminal();
            full.closeOutput();

            assertThat(Main.run(full, command.split(" "))).as(command).isEqualTo(ExitCode.UNWRITTEN);
            assertThat(full.errors())
                    .isEqualTo("outbox: the output could not be written; changes already made remain.\n");
        }
        terminal.closeOutput();
        assertThat(Main.run(terminal, "frobnicate"))
                .as("it has a code of its own")
                .isEqualTo(ExitCode.USAGE);
    }

    /** The error output may end up in a log. */
    @Test
    void the_value_of_an_option_for_a_password_is_not_repeated() {
        for (String arguments : List.of(
                "--password s3cret",
                "--password=s3cret",
                "--Pass=s3cret",
                "-password s3cret",
                "--db-password s3cret",
                "--pwd=s3cret")) {
            ScriptedTerminal second = new ScriptedTerminal();

            assertThat(Main.run(second, ("status " + arguments).split(" ")))
                    .as(arguments)
                    .isEqualTo(ExitCode.USAGE);
            assertThat(second.errors())
                    .containsPattern("(?i)'-[a-z-]*(pass|pwd)…")
                    .contains("Nothing was changed.")
                    .doesNotContain("s3cret");
        }
    }
}
