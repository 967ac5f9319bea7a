package io.outboxed.cli;

import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.TextTable;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.operations.check.CheckResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Examines the database. */
@Command(
        name = "check",
        description = "Examines the database: tables, rights, row locks, clock, and harmful settings. Changes nothing.")
final class CheckCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Override
    public Integer call() {
        try (OutboxOperations operations = connection.open()) {
            List<CheckResult> results = operations.check().examine();
            output.print(
                    Map.of("results", results.stream().map(CheckCommand::object).toList()), out -> {
                        for (CheckResult each : results) {
                            out.printf(
                                    "%-7s  %s: %s%n", word(each), each.subject(), TextTable.indented(each.finding()));
                            if (!each.remedy().isEmpty()) {
                                out.printf("%-7s  %s%n", "", each.remedy());
                            }
                        }
                    });
            boolean problem = results.stream().anyMatch(each -> each.severity() == CheckResult.Severity.PROBLEM);
            return problem ? ExitCode.FOUND : ExitCode.OK;
        }
    }

    private static String word(CheckResult result) {
        return result.severity().name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> object(CheckResult result) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("severity", word(result));
        object.put("subject", result.subject());
        object.put("finding", result.finding());
        object.put("remedy", result.remedy());
        return object;
    }
}
