package io.outboxed.cli.output;

import java.time.Duration;
import java.util.Locale;

/** Counts changes, reports progress and keeps to a rate. */
public final class Pace {
    private static final int REPORTED = 1000;

    private final Terminal terminal;
    private final String word;
    private final CappedCount total;
    private final Integer rate;
    private final long begun = System.nanoTime();
    private long done;

    /** @param rate changes a second, or null */
    public Pace(Terminal terminal, String word, CappedCount total, Integer rate) {
        this.terminal = terminal;
        this.word = word;
        this.total = total;
        this.rate = rate;
    }

    /** The command was interrupted between two changes. */
    public static final class InterruptedPaceException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** One change was committed. */
    public void changed() {
        done++;
        if (done % REPORTED == 0 || terminal.isInteractive() && done % 100 == 0) {
            terminal.err().printf(Locale.ROOT, "%s %,d of %s%n", word, done, total.number());
        }
        if (rate != null) {
            long dueNanos = done * Duration.ofSeconds(1).toNanos() / rate;
            long early = dueNanos - (System.nanoTime() - begun);
            if (early > 0 && !terminal.pause(Duration.ofNanos(early))) {
                throw new InterruptedPaceException();
            }
        }
    }

    public long done() {
        return done;
    }
}
