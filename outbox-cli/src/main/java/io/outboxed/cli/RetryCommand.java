package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a waiting delivery due now. */
@Command(
        name = "retry",
        description = "Makes a delivery that waits for its next attempt due now, as \"list --state waiting\" shows it.")
final class RetryCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    AttributionOptions who;

    @Parameters(paramLabel = "MESSAGE-ID", description = "the event")
    UUID id;

    @Option(names = "--handler", required = true, paramLabel = "NAME", description = "whose delivery, exactly")
    String handler;

    @Override
    public Integer call() {
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            boolean changed = operations.retryNow(id, handler, by);
            output.print(
                    Map.of("changed", changed),
                    out -> out.println(
                            changed
                                    ? "Due now: " + id + " for handler " + handler + "."
                                    : "No delivery of " + id + " to handler " + handler
                                            + " waits for an attempt, or it is running. Nothing was changed."));
            return changed ? ExitCode.OK : ExitCode.FOUND;
        }
    }
}
