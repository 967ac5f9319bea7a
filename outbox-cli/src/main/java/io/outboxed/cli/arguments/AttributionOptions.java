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

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "who does it, for the audit, which adds your login name; default: your login name")
    String by;

    @Option(names = "--reason", paramLabel = "TEXT", description = "why, for the audit")
    String reason;

    public Attribution attribution() {
        String login = System.getProperty("user.name", "unknown");
        String why = reason == null ? "" : reason;
        try {
            Attribution given = new Attribution(by != null ? by : login, VIA, why);
            return given.who().equals(login) ? given : new Attribution(given.who() + " (" + login + ")", VIA, why);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--by or --reason: " + e.getMessage());
        }
    }
}
