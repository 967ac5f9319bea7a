package io.outboxed.cli;

import io.outboxed.OutboxException;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.cli.output.Pace;
import io.outboxed.cli.output.Terminal;
import io.outboxed.cli.output.TextTable;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.retention.CleanupBusyException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns exceptions into one message and an exit code. */
record ErrorReport(Terminal terminal)
        implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {
    /** MySQL, MariaDB: access denied, to a server, database, table, column or operation. H2: not enough rights. */
    private static final Set<Integer> DENIED = Set.of(1044, 1045, 1142, 1143, 1227, 1370, 1698, 90096);

    /** Causes may form a circle. */
    private static final int DEEPEST = 64;

    /** MySQL, MariaDB: no such database. H2: the same. */
    private static final Set<Integer> UNKNOWN = Set.of(1049, 90146, 90149);

    private static final String UNKNOWN_STATE = "3D000";

    private static final String DENIED_STATE = "42501";
    private static final String LOGIN_FAILED = "28";

    /** Of a URL, and of an option that does not exist: there is none for a password. */
    private static final String MAY_BE_SECRET = "(?is)(jdbc:\\w*:|'-[\\w-]*(?:pass|pwd))[^…].*";

    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        terminal.err().println("outbox: " + e.getMessage().replaceFirst(MAY_BE_SECRET, "$1…"));
        terminal.err()
                .println("Nothing was changed. See \""
                        + e.getCommandLine().getCommandSpec().qualifiedName() + " --help\".");
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        if (e instanceof ParameterException wrong) {
            return handleParseException(wrong, new String[0]);
        }
        if (e instanceof Pace.InterruptedPaceException) {
            terminal.err().println("outbox: interrupted; the rest is unchanged. Run the same command to continue.");
            return ExitCode.INTERRUPTED;
        }
        if (e instanceof OperationRunningException) {
            terminal.err().println("outbox: " + TextTable.inLine(e.getMessage()));
            return ExitCode.FOUND;
        }
        if (e instanceof CleanupBusyException) {
            terminal.err().println("outbox: " + e.getMessage() + ": run the command again");
            return ExitCode.DATABASE;
        }
        if (!(e instanceof StoreException || e instanceof OutboxException || e instanceof SQLException)) {
            return inTheProgram(e);
        }
        report(e);
        return ExitCode.DATABASE;
    }

    int inTheProgram(Throwable error) {
        error.printStackTrace(terminal.err());
        terminal.err().println("outbox: an error in the program; changes already made remain. Please report it.");
        return ExitCode.SOFTWARE;
    }

    int unwritten() {
        terminal.err().println("outbox: the output could not be written; changes already made remain.");
        return ExitCode.UNWRITTEN;
    }

    /** Says what the database refused or could not do. */
    void report(Exception e) {
        terminal.err().println("outbox: " + TextTable.harmless(e.getMessage()));
        causes(e)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .reduce((outer, inner) -> inner)
                .ifPresent(this::explain);
    }

    /** The database's message is shown only where it can't quote a row. */
    private void explain(SQLException cause) {
        if (isDenied(cause)) {
            terminal.err().println("A privilege is missing: " + firstLine(cause));
            terminal.err().println("docs/operations.md lists the rights of each command.");
        } else if (isUnreachable(cause)) {
            terminal.err().println("The database can't be reached: " + firstLine(cause));
        }
    }

    private static boolean isDenied(SQLException e) {
        return DENIED.contains(e.getErrorCode())
                || DENIED_STATE.equals(e.getSQLState())
                || e.getSQLState() != null && e.getSQLState().startsWith(LOGIN_FAILED);
    }

    private static boolean isUnreachable(SQLException e) {
        return UNKNOWN.contains(e.getErrorCode())
                || e.getSQLState() != null
                        && (e.getSQLState().startsWith("08") || e.getSQLState().equals(UNKNOWN_STATE));
    }

    /** Drivers quote a URL that they can't read; it may contain a secret. */
    private static String firstLine(SQLException e) {
        String line = Objects.requireNonNullElse(e.getMessage(), e.getClass().getName())
                .lines()
                .findFirst()
                .orElse("");
        return line.contains("jdbc:") ? e.getClass().getSimpleName() : TextTable.harmless(line);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEEPEST);
    }
}
