package io.outboxed.cli;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.PauseTarget;
import io.outboxed.cli.arguments.AttributionOptions;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.arguments.PauseOptions;
import io.outboxed.cli.output.OutputOptions;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ends a pause. */
@Command(name = "resume", description = "Ends a pause; name exactly what was paused.")
final class ResumeCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection;

    @Mixin
    OutputOptions output;

    @Mixin
    PauseOptions what;

    @Mixin
    AttributionOptions who;

    @Override
    public Integer call() {
        PauseTarget target = what.target();
        Attribution by = who.attribution();
        try (OutboxOperations operations = connection.open()) {
            boolean changed = isResumed(operations, target, by);
            output.print(
                    Map.of("changed", changed),
                    out -> out.println(
                            changed
                                    ? "Resumed: " + target + ". Nodes notice within a second."
                                    : target + " is not paused. Nothing was changed."));
            return changed ? ExitCode.OK : ExitCode.FOUND;
        }
    }

    private boolean isResumed(OutboxOperations operations, PauseTarget target, Attribution by) {
        try {
            return operations.pauses().resume(target, by);
        } catch (IllegalArgumentException e) {
            throw connection.wrong(e.getMessage() + " (--handler or --type)");
        }
    }
}
