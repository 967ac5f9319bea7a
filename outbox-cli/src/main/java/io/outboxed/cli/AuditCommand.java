package io.outboxed.cli;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.AuditPage;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.AuditLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.internal.operations.AuditPosition;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists what operators have changed, page by page. */
@Command(name = "audit", description = "Lists who has changed what and why, the most recent first.")
final class AuditCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "50",
            description = "length of the page, 1 to 1000; default: 50")
    int limit;

    @Option(names = "--after", paramLabel = "KEY", description = "the next page, as printed by the previous one")
    String after;

    @Override
    public Integer call() {
        if (limit < 1 || limit > OutboxAdmin.MAX_PAGE) {
            throw connection.wrong("--limit is " + limit + ", expected 1 to " + OutboxAdmin.MAX_PAGE);
        }
        AuditPosition position = position();
        try (OutboxOperations operations = connection.open()) {
            AuditPage page = operations.audit().page(position, limit);
            output.print(object(page), out -> {
                AuditLines.print(page.entries(), out);
                if (page.next() != null) {
                    out.println();
                    out.println("There are more: --after " + page.next());
                }
            });
            return ExitCode.OK;
        }
    }

    private AuditPosition position() {
        try {
            return AuditPosition.of(after);
        } catch (IllegalArgumentException e) {
            throw connection.wrong("--after is not a key that \"audit\" has printed");
        }
    }

    private static Map<String, Object> object(AuditPage page) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("found", page.entries().stream().map(AuditLines::object).toList());
        object.put("next", page.next());
        return object;
    }
}
