package io.outboxed.cli.arguments;

import io.outboxed.admin.Attribution;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Who changes something, and why: for the audit. */
public final class AttributionOptions {
    private static final String VIA = "cli";

    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(names = "--by", paramLabel = "NAME", description = "who does it, for the audit; default: your login name")
    String by;

    @Option(names = "--reason", paramLabel = "TEXT", description = "why, for the audit")
    String reason;

    public Attribution attribution() {
        String who = by != null ? by : System.getProperty("user.name", "unknown");
        try {
            return new Attribution(who, VIA, reason == null ? "" : reason);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--by or --reason: " + e.getMessage());
        }
    }
}
