package io.outboxed.cli;

import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.MigrationTool;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.schema.DdlScript;
import io.outboxed.internal.schema.SchemaCheck;
import io.outboxed.internal.schema.UpgradeScript;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
                    String tablePrefix,
            @Option(
                            names = "--for",
                            paramLabel = "TOOL",
                            defaultValue = "plain",
                            description = "plain (default), flyway or liquibase: as a file for this tool")
                    MigrationTool tool) {
        String prefix =
                ConnectionOptions.onlyPrefix(terminal, command, tablePrefix).prefix();
        String script = DdlScript.text(database, prefix);
        terminal.out().print(tool.file(script, "layout-" + UpgradeScript.CURRENT, true));
        terminal.out().flush();
        return ExitCode.OK;
    }

    @Command(name = "verify", description = "Compares the tables with the schema of this version.")
    int verify(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        List<SchemaCheck.Finding> findings = findings(connection);
        List<String> problems =
                findings.stream().map(SchemaCheck.Finding::problem).toList();
        boolean canBeFixed =
                findings.stream().anyMatch(finding -> !finding.ddl().isEmpty());
        output.print(Map.of("problems", problems), out -> {
            problems.forEach(out::println);
            out.println(
                    problems.isEmpty()
                            ? "The tables match the schema."
                            : Counted.of(problems.size(), "difference")
                                    + (canBeFixed ? ". \"outbox schema upgrade\" prints what fixes them." : "."));
        });
        return problems.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
    }

    @Command(
            name = "upgrade",
            description = "Prints the statements that bring the tables to the schema of this version. Runs none.")
    int upgrade(
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output,
            @Option(
                            names = "--from",
                            paramLabel = "LAYOUT",
                            description = "the layout of the tables, instead of looking at them; see docs/upgrading.md")
                    Integer from,
            @Option(
                            names = "--database",
                            paramLabel = "NAME",
                            description = "with --from: h2, mysql, mariadb or postgresql")
                    Dialect database,
            @Option(
                            names = "--for",
                            paramLabel = "TOOL",
                            description = "with --from: plain (default), flyway or liquibase: as a file for this tool")
                    MigrationTool tool) {
        if (from != null) {
            return printSteps(connection, output, from, database, tool == null ? MigrationTool.PLAIN : tool);
        }
        if (database != null || tool != null) {
            throw connection.wrong("--database and --for need --from; without it the tables themselves are compared");
        }
        List<SchemaCheck.Finding> findings;
        List<String> limits;
        try (OutboxOperations operations = connection.open()) {
            findings = operations.schema().findings();
            limits = findings.stream().anyMatch(SchemaCommand::changesTablesInUse)
                    ? operations.schema().limits()
                    : List.of();
        }
        Set<String> statements = new LinkedHashSet<>(limits);
        Map<String, List<String>> byProblem = new LinkedHashMap<>();
        for (SchemaCheck.Finding finding : findings) {
            byProblem.put(
                    finding.problem(),
                    finding.ddl().stream().filter(statements::add).toList());
        }
        output.print(Map.of("statements", statements), out -> {
            limits.forEach(statement -> out.println(statement + ";"));
            byProblem.forEach((problem, some) -> show(problem, some, out));
            if (findings.isEmpty()) {
                out.println("-- nothing to do");
            }
        });
        List<SchemaCheck.Finding> left =
                findings.stream().filter(finding -> finding.ddl().isEmpty()).toList();
        left.forEach(finding -> terminal.err().println("outbox: no statement fixes this: " + finding.problem()));
        return left.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
    }

    /** Tables of another layout are changed while no node runs, and a step that is given up would leave them half-way. */
    private static boolean changesTablesInUse(SchemaCheck.Finding finding) {
        return !finding.otherLayout() && !finding.ddl().isEmpty();
    }

    private static void show(String problem, List<String> statements, PrintWriter out) {
        if (!statements.isEmpty()) {
            problem.lines().forEach(line -> out.println("-- " + line));
            statements.forEach(statement -> out.println(statement + ";"));
        }
    }

    private static int printSteps(
            ConnectionOptions connection, OutputOptions output, int from, Dialect database, MigrationTool tool) {
        if (database == null) {
            throw connection.wrong("--from needs --database: h2, mysql, mariadb or postgresql");
        }
        if (connection.isNamed()) {
            throw connection.wrong("--from looks at no database: leave out --url, --user and --driver-path, or --from");
        }
        if (from < 0 || from >= UpgradeScript.CURRENT) {
            throw connection.wrong("--from is " + from + ", expected a layout from 0 to " + (UpgradeScript.CURRENT - 1)
                    + "; this version has layout " + UpgradeScript.CURRENT);
        }
        String prefix = connection.prefix();
        String script = UpgradeScript.text(database, prefix, from);
        output.print(
                Map.of("statements", UpgradeScript.statements(database, prefix, from)),
                out -> out.print(tool.file(script, "layout-" + from + "-to-" + UpgradeScript.CURRENT, false)));
        return ExitCode.OK;
    }

    private static List<SchemaCheck.Finding> findings(ConnectionOptions connection) {
        try (OutboxOperations operations = connection.open()) {
            return operations.schema().findings();
        }
    }
}
