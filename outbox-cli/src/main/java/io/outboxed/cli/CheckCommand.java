package io.outboxed.cli;

import io.outboxed.cli.output.TextTable;
import io.outboxed.internal.operations.Diagnosis;
import io.outboxed.internal.operations.OutboxOperations;
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
        description = "Examines the database: tables, rights, row locks, clock, and settings that hurt. Changes"
                + " nothing.")
final class CheckCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Override
    public Integer call() {
        try (OutboxOperations operations = connection.open()) {
            List<Diagnosis> results = operations.doctor().examine();
            output.print(
                    Map.of("results", results.stream().map(CheckCommand::object).toList()), out -> {
                        for (Diagnosis each : results) {
                            out.printf(
                                    "%-7s  %s: %s%n", word(each), each.subject(), TextTable.harmless(each.finding()));
                            if (!each.remedy().isEmpty()) {
                                out.printf("%-7s  %s%n", "", each.remedy());
                            }
                        }
                    });
            boolean problem = results.stream().anyMatch(each -> each.severity() == Diagnosis.Severity.PROBLEM);
            return problem ? ExitCode.FOUND : ExitCode.OK;
        }
    }

    private static String word(Diagnosis diagnosis) {
        return diagnosis.severity().name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> object(Diagnosis diagnosis) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("severity", word(diagnosis));
        object.put("subject", diagnosis.subject());
        object.put("finding", diagnosis.finding());
        object.put("remedy", diagnosis.remedy());
        return object;
    }
}
