package io.outboxed.cli;

import io.outboxed.cli.arguments.Age;
import io.outboxed.cli.arguments.ConnectionOptions;
import io.outboxed.cli.output.Terminal;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.IntSupplier;
import picocli.CommandLine.Option;

/** Once, or repeatedly until the process is interrupted. */
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

    /**
     * A repeated command ends with an error that stays: the next run could do no better.
     *
     * @return the exit code of the last run
     */
    int run(IntSupplier work) {
        if (every == null) {
            return work.getAsInt();
        }
        int exit;
        do {
            exit = one(work);
            if (exit != ExitCode.OK) {
                terminal.err()
                        .printf(
                                Locale.ROOT,
                                "outbox: the next run follows in %,d s%n",
                                every.duration().toSeconds());
            }
        } while (terminal.pause(every.duration()));
        return exit;
    }

    private int one(IntSupplier work) {
        try {
            return work.getAsInt();
        } catch (StoreException e) {
            boolean mayPass = e.isTransient();
            if (!mayPass || SqlFailure.isLoginRefused(e)) {
                throw e;
            }
            new ErrorReport(terminal).report(e);
            return ExitCode.DATABASE;
        }
    }
}
