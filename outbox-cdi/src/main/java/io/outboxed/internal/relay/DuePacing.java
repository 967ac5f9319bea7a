package io.outboxed.internal.relay;

import java.time.Duration;

/** When to read what is due, and how much of it: each read is about everything that is due. */
public final class DuePacing {
    private static final long BETWEEN_READS = Duration.ofMillis(50).toNanos();
    private static final long BETWEEN_COUNTS = Duration.ofSeconds(2).toNanos();
    private static final int AT_ONCE = 64;
    /** With so many lanes due that to read them takes long, it is done seldom, and for more of them. */
    private static final int AT_ONCE_OF_MANY = 1_024;
    /** A read takes at most a fifth of the time, unless it takes more than a second. */
    private static final int PAUSES_PER_READ = 4;

    private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

    private long nextRead;
    private long nextCount;
    private int atOnce = AT_ONCE;

    public DuePacing(long now) {
        this.nextRead = now;
        this.nextCount = now;
    }

    public boolean readDue(long now) {
        return now - nextRead >= 0;
    }

    public void begun(long now) {
        nextRead = now + BETWEEN_READS;
    }

    /** @param took nanoseconds */
    public void ended(long now, long took) {
        atOnce = took > BETWEEN_READS ? AT_ONCE_OF_MANY : AT_ONCE;
        nextRead = Math.max(nextRead, now + Math.min(PAUSES_PER_READ * took, LONGEST_PAUSE));
    }

    /** How many lanes a read asks for, beside those of which it brings nothing in. */
    public int atOnce() {
        return atOnce;
    }

    public long untilRead(long now) {
        return Math.max(0, nextRead - now);
    }

    /** Whether to query in which shards anything waits. */
    public boolean countDue(long now) {
        return now - nextCount >= 0;
    }

    public void counted(long now) {
        nextCount = now + BETWEEN_COUNTS;
    }
}
