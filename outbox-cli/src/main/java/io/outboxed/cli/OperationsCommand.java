package io.outboxed.cli;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.BulkOperation;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.OperationLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows how far bulk operations have come. */
@Command(
        name = "operations",
        description =
                "Shows the replays, discards and retries that nodes make in the background: those that are running, then"
                        + " those that have ended.")
final class OperationsCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "OPERATION-ID", arity = "0..1", description = "only this one")
    UUID id;

    @Override
    public Integer call() {
        try (OutboxOperations operations = connection.open()) {
            List<BulkOperation> found = id == null
                    ? operations.bulk().list(OutboxAdmin.MAX_OPERATIONS)
                    : operations.bulk().find(id).map(List::of).orElse(List.of());
            output.print(
                    Map.of(
                            "operations",
                            found.stream().map(OperationLines::object).toList()),
                    out -> OperationLines.print(found, out));
            return id == null || !found.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
        }
    }
}
