package io.outboxed.cli;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.FilterOptions;
import io.outboxed.cli.output.CappedCount;
import io.outboxed.cli.output.FailureLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.internal.operations.OutboxOperations;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what dead letters have in common. */
@Command(
        name = "failures",
        description = "Groups the newest 10,000 dead letters that match by handler, event type and kind of error, the"
                + " largest group first.")
final class FailuresCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    FilterOptions filter;

    @Parameters(paramLabel = "MESSAGE-ID", arity = "0..1", description = "only the dead letters of this event")
    UUID id;

    @Option(names = "--blocking", description = "only dead letters that hold up later events of their aggregate")
    boolean blocking;

    @Override
    public Integer call() {
        try (OutboxOperations operations = connection.open()) {
            DeadLetterFilter conditions = filter.deadLetters(operations::clock).message(id);
            List<FailureGroup> groups = operations
                    .failures()
                    .of(blocking ? conditions.onlyBlocking() : conditions, OutboxAdmin.MAX_GROUPED);
            CappedCount matched = matched(groups);
            output.print(object(groups, matched), out -> text(groups, matched, out));
            return ExitCode.OK;
        }
    }

    private static CappedCount matched(List<FailureGroup> groups) {
        return new CappedCount(groups.stream().mapToLong(FailureGroup::count).sum(), OutboxAdmin.MAX_GROUPED);
    }

    private static void text(List<FailureGroup> groups, CappedCount matched, PrintWriter out) {
        FailureLines.print(groups, out);
        if (matched.isCapped()) {
            out.println();
            out.println(matched.begin("dead letter matches", "dead letters match") + ". Only the newest are counted.");
        }
    }

    private static Map<String, Object> object(List<FailureGroup> groups, CappedCount matched) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("failures", groups.stream().map(FailureLines::object).toList());
        object.put("matched", matched.count());
        object.put("atLeast", CappedCount.capped(Map.of("matched", matched)));
        return object;
    }
}
