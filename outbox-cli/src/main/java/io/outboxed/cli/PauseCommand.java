package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.PauseTarget;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.PauseOptions;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops calls. */
@Command(
        name = "pause",
        description = "Stops calls of a handler, for an event type, or of everything, on all nodes, until \"resume\".")
final class PauseCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    PauseOptions what;

    @Mixin
    AttributionOptions who;

    PauseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        PauseTarget target = what.newTarget();
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            boolean isUnknown = target.kind() == PauseTarget.Kind.HANDLER
                    && operations.registrations(target.name()).isEmpty();
            boolean changed = operations.pauses().pause(target, by);
            if (changed && isUnknown) {
                terminal.err()
                        .println("outbox: no deployment has registered a handler \"" + target.name()
                                + "\" so far. The pause applies as soon as one does; if the name is wrong, resume it.");
            }
            output.print(
                    Map.of("changed", changed),
                    out -> out.println(
                            changed
                                    ? "Paused: " + target + ". Nodes notice within a second; running calls finish."
                                    : target + " is paused already. Nothing was changed."));
            return changed ? ExitCode.OK : ExitCode.FOUND;
        }
    }
}
