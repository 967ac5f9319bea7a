package io.outboxed.cli.output;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Counts changes, shows how far they are, and keeps to a rate. */
public final class Pace {
    private static final int REPORTED = 1000;
    private static final int REDRAWN = 100;
    private static final int WIDTH = 30;
    /** What was missed longer ago is not caught up with: the handlers would get it in one burst. */
    private static final long CREDIT = Duration.ofSeconds(1).toNanos();

    private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";

    private final Terminal terminal;
    private final String word;
    private final CappedCount total;
    private final Integer rate;
    private final LongSupplier nanos;
    private final boolean draws;
    private long due;
    private long drawn = -1;
    private long done;

    /** @param rate changes a second, or null */
    public Pace(Terminal terminal, String word, CappedCount total, Integer rate) {
        this(terminal, word, total, rate, System::nanoTime);
    }

    public Pace(Terminal terminal, String word, CappedCount total, Integer rate, LongSupplier nanos) {
        this.terminal = terminal;
        this.word = word;
        this.total = total;
        this.rate = rate;
        this.nanos = nanos;
        this.draws = terminal.isInteractive();
        this.due = nanos.getAsLong();
    }

    /** The command was interrupted between two changes. */
    public static final class InterruptedPaceException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** One change was committed. */
    public void changed() {
        done++;
        if (draws) {
            draw();
        } else if (done % REPORTED == 0) {
            terminal.err().println(words());
        }
        if (rate != null) {
            long now = nanos.getAsLong();
            due += Math.max(0, now - due - CREDIT) + Duration.ofSeconds(1).toNanos() / rate;
            long early = due - now;
            if (early > 0 && !terminal.pause(Duration.ofNanos(early))) {
                throw new InterruptedPaceException();
            }
        }
    }

    /** Leaves the cursor at the beginning of the line: a line of the log replaces what is drawn. */
    private void draw() {
        boolean isKnown = !total.isCapped() && total.count() > 0;
        long step = isKnown ? Math.min(100, done * 100 / total.count()) : done / REDRAWN;
        if (step != drawn) {
            drawn = step;
            String bar = isKnown ? bar((int) step) + String.format(Locale.ROOT, " %3d %%  ", step) : "";
            terminal.err().print(bar + words() + CLEAR_TO_END_OF_LINE + "\r");
            terminal.err().flush();
        }
    }

    private static String bar(int percent) {
        int filled = percent * WIDTH / 100;
        return "[" + "#".repeat(filled) + "-".repeat(WIDTH - filled) + "]";
    }

    private String words() {
        return String.format(Locale.ROOT, "%s %,d of %s", word, done, total.number());
    }

    /** Removes what is drawn. */
    public void end() {
        if (drawn >= 0) {
            terminal.err().print(CLEAR_TO_END_OF_LINE);
            terminal.err().flush();
        }
    }

    public long done() {
        return done;
    }
}
