package io.outboxed.cli;

import io.outboxed.cli.arguments.Age;
import io.outboxed.cli.output.Terminal;
import java.time.Duration;
import java.util.function.IntSupplier;
import picocli.CommandLine.Option;

/** Once, or again and again until the process is interrupted. */
final class RepeatOptions {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofDays(31);

    private final Terminal terminal;

    @Option(names = "--once", description = "do it once and end; the default")
    boolean once;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            converter = Age.Converter.class,
            description = "do it again after this time, for example " + Age.WORDS + ", until interrupted")
    Age every;

    RepeatOptions(Terminal terminal) {
        this.terminal = terminal;
    }

    void check(ConnectionOptions connection) {
        if (once && every != null) {
            throw connection.wrong("--once and --every contradict each other: pass one of them");
        }
        if (every != null && !every.isWithin(LEAST, MOST)) {
            throw connection.wrong("--every is " + every.duration() + ", expected 1s to 31d");
        }
    }

    /** Ends with the first exit code that is not {@link ExitCode#OK}. */
    int run(IntSupplier work) {
        int exit;
        do {
            exit = work.getAsInt();
        } while (exit == ExitCode.OK && every != null && terminal.pause(every.duration()));
        return exit;
    }
}
