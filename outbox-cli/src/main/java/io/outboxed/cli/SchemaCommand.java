package io.outboxed.cli;

import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.schema.DdlScript;
import io.outboxed.internal.schema.SchemaCheck;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints and verifies the schema; never changes it. */
@Command(
        name = "schema",
        description = "Prints or verifies the tables. Changes nothing.",
        synopsisSubcommandLabel = "COMMAND")
final class SchemaCommand {
    private final Terminal terminal;

    @Spec
    CommandSpec command;

    SchemaCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Command(name = "print", description = "Prints the statements that create all tables. Needs no database.")
    int print(
            @Option(
                            names = "--database",
                            paramLabel = "NAME",
                            required = true,
                            description = "h2, mysql, mariadb or postgresql")
                    Dialect database,
            @Option(
                            names = "--table-prefix",
                            paramLabel = "PREFIX",
                            description = "as outbox.table-prefix of the application; default: outbox_")
                    String tablePrefix) {
        ConnectionOptions prefix = new ConnectionOptions(terminal);
        prefix.tablePrefix = tablePrefix;
        prefix.command = command;
        terminal.out().print(DdlScript.text(database, prefix.prefix()));
        terminal.out().flush();
        return ExitCode.OK;
    }

    @Command(name = "verify", description = "Compares the tables with the schema of this version.")
    int verify(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        List<SchemaCheck.Finding> findings = findings(connection);
        List<String> problems =
                findings.stream().map(SchemaCheck.Finding::problem).toList();
        output.print(Map.of("problems", problems), out -> {
            problems.forEach(out::println);
            out.println(
                    problems.isEmpty()
                            ? "The tables match the schema."
                            : problems.size() + " difference(s). \"outbox schema upgrade\" prints what fixes them.");
        });
        return problems.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
    }

    @Command(
            name = "upgrade",
            description = "Prints the statements that bring the tables to the schema of this version. Runs none.")
    int upgrade(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        List<String> statements = findings(connection).stream()
                .flatMap(finding -> finding.ddl().stream())
                .distinct()
                .toList();
        output.print(Map.of("statements", statements), out -> {
            statements.forEach(statement -> out.println(statement + ";"));
            if (statements.isEmpty()) {
                out.println("-- nothing to do");
            }
        });
        return ExitCode.OK;
    }

    private static List<SchemaCheck.Finding> findings(ConnectionOptions connection) {
        try (OutboxOperations operations = connection.open()) {
            return operations.schema().findings();
        }
    }
}
