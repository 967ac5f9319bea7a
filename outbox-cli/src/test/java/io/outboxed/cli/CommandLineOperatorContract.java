package io.outboxed.cli;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.operator.Operator;
import io.outboxed.operator.OperatorContract;
import java.sql.DriverManager;
import java.util.List;

/** What the command line does as the Java API and the admin API do, on one database. */
abstract class CommandLineOperatorContract extends OperatorContract {

    abstract String url();

    abstract String user();

    abstract String password();

    @Override
    protected final ConnectionSource source() {
        return () -> DriverManager.getConnection(url(), user(), password());
    }

    @Override
    public final Operator operator() {
        return new CommandOperator(this::run);
    }

    private CommandOperator.Ended run(List<String> arguments) {
        ScriptedTerminal terminal = new ScriptedTerminal()
                .with("OUTBOX_URL", url())
                .with("OUTBOX_USER", user())
                .with("OUTBOX_PASSWORD", password());
        int exit = Main.run(terminal, arguments.toArray(String[]::new));
        return new CommandOperator.Ended(exit, terminal.output(), terminal.errors());
    }
}
