package io.outboxed.cli;

import io.outboxed.admin.RegisteredHandler;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.HandlerLines;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the handlers that events wait for, with their exact names. */
@Command(
        name = "handlers",
        description =
                "Lists the handlers that deployments have registered, by event type: \"*\" is any type. New events"
                        + " do not wait for those that are retired. Says how much waits for each, of whatever type.")
final class HandlersCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Override
    public Integer call() {
        try (OutboxOperations operations = connection.open()) {
            List<RegisteredHandler> handlers = operations.handlers();
            output.print(
                    Map.of(
                            "handlers",
                            handlers.stream().map(HandlerLines::object).toList()),
                    out -> HandlerLines.print(handlers, out));
            return ExitCode.OK;
        }
    }
}
