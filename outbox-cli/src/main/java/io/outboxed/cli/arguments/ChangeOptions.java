package io.outboxed.cli.arguments;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How much is changed, and how fast. */
public final class ChangeOptions {
    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(names = "--yes", description = "don't ask for confirmation")
    boolean yes;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            description = "at most this many in all; of each aggregate, the oldest first; default: all")
    Integer limit;

    @Option(names = "--rate", paramLabel = "COUNT", description = "at most this many a second; default: no limit")
    Integer rate;

    /** @throws ParameterException for a number out of its range */
    public void check() {
        if (limit != null && limit < 1) {
            throw wrong("--limit is " + limit + ", expected 1 or more");
        }
        if (rate != null && rate < 1) {
            throw wrong("--rate is " + rate + ", expected 1 or more");
        }
    }

    public boolean yes() {
        return yes;
    }

    public boolean hasLimit() {
        return limit != null;
    }

    public int atMost() {
        return limit == null ? Integer.MAX_VALUE : limit;
    }

    /** A second; null for no limit. */
    public Integer rate() {
        return rate;
    }

    private ParameterException wrong(String problem) {
        return new ParameterException(command.commandLine(), problem);
    }
}
