package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Ends a bulk operation early. */
@Command(
        name = "cancel",
        description = "Ends a replay, discard or retry that nodes make in the background. Changes already made remain.")
final class CancelCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    AttributionOptions who;

    @Parameters(paramLabel = "OPERATION-ID", description = "as \"operations\" shows it")
    UUID id;

    @Override
    public Integer call() {
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            boolean cancelled = operations.bulk().cancel(id, by).isPresent();
            output.print(
                    Map.of("changed", cancelled),
                    out -> out.println(
                            cancelled
                                    ? "Cancelled: " + id + ". It changes nothing more."
                                    : id + " is not running. Nothing was changed."));
            return cancelled ? ExitCode.OK : ExitCode.FOUND;
        }
    }
}
