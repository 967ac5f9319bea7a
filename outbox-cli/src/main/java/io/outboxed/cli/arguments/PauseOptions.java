package io.outboxed.cli.arguments;

import io.outboxed.admin.PauseTarget;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is paused or resumed. */
public final class PauseOptions {
    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(names = "--handler", paramLabel = "NAME", description = "a handler, for all its event types")
    String handler;

    @Option(names = "--type", paramLabel = "TYPE", description = "an event type, for all its handlers")
    String type;

    @Option(names = "--all", description = "everything")
    boolean all;

    public PauseTarget target() {
        int named = (handler == null ? 0 : 1) + (type == null ? 0 : 1) + (all ? 1 : 0);
        if (named != 1) {
            throw wrong("expected exactly one of --handler, --type and --all, got " + named);
        }
        try {
            return all
                    ? PauseTarget.everything()
                    : handler != null ? PauseTarget.handler(handler) : PauseTarget.type(type);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /** What is to be paused; a pause that exists may have any name. */
    public PauseTarget newTarget() {
        PauseTarget target = target();
        try {
            target.requireValidName();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage() + " (--handler, --type or --all)");
        }
        return target;
    }

    private ParameterException wrong(String problem) {
        return new ParameterException(command.commandLine(), problem);
    }
}
