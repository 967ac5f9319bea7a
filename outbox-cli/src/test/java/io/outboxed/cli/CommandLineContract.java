package io.outboxed.cli;

import io.outboxed.operator.Tables;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Every command on a real database. */
abstract class CommandLineContract
        implements ReadCommandsContract,
                NamesToTypeContract,
                DeadLetterCommandsContract,
                BulkCommandsContract,
                RetryCommandContract,
                DropDeliveriesContract,
                SchemaCommandsContract,
                CleanupCommandContract,
                AuditedCommandsContract,
                WrongArgumentsContract {
    private Tables tables;
    private ScriptedTerminal terminal = new ScriptedTerminal();

    abstract String url();

    /** Null for none. */
    abstract String user();

    abstract String password();

    @BeforeEach
    void openTables() throws SQLException {
        tables = Tables.empty(source(), dialect());
    }

    @AfterEach
    void closeTables() throws SQLException {
        tables.close();
    }

    @Override
    public final Tables tables() {
        return tables;
    }

    @Override
    public final ScriptedTerminal terminal() {
        return terminal;
    }

    @Override
    public final ScriptedTerminal newTerminal() {
        terminal = new ScriptedTerminal();
        return terminal;
    }

    @Override
    public final int run(String... arguments) {
        terminal.with("OUTBOX_URL", url());
        if (user() != null) {
            terminal.with("OUTBOX_USER", user()).with("OUTBOX_PASSWORD", password());
        }
        return Main.run(terminal, arguments);
    }
}
