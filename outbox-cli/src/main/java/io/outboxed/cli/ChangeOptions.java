package io.outboxed.cli;

import picocli.CommandLine.Option;

/** How much is changed, and how fast. */
final class ChangeOptions {
    @Option(names = "--yes", description = "don't ask for confirmation")
    boolean yes;

    @Option(names = "--limit", paramLabel = "COUNT", description = "at most this many, the oldest first; default: all")
    Integer limit;

    @Option(names = "--rate", paramLabel = "COUNT", description = "at most this many a second; default: no limit")
    Integer rate;

    void check(ConnectionOptions connection) {
        if (limit != null && limit < 1) {
            throw connection.wrong("--limit is " + limit + ", expected 1 or more");
        }
        if (rate != null && rate < 1) {
            throw connection.wrong("--rate is " + rate + ", expected 1 or more");
        }
    }

    int atMost() {
        return limit == null ? Integer.MAX_VALUE : limit;
    }
}
