package io.outboxed.internal.relay;

import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.Window;
import java.time.Duration;

/**
 * A shard that this node holds, and how far it has been read. Reading starts above a low-water mark that lags behind by
 * 15 to 30 s: rows below it have been seen, and a row that commits late has a number no lower than that. Where rows were
 * dropped from memory, everything is read again.
 */
final class HeldShard {
    /** Rows of a shard in memory below which more are read. */
    static final int ROOM = 100;

    private static final long LAG = Duration.ofSeconds(15).toNanos();
    /** While a backlog is read on from page to page, a row that committed late below the page waits so long at most. */
    private static final long BETWEEN_LOOKS_FROM_THE_MARK =
            Duration.ofMillis(500).toNanos();

    private static final long NO_MORE = Long.MAX_VALUE;

    final Lease lease;
    /** Rows up to this number may have been running when their node died; 0 after a clean hand-over. */
    final long suspectUpTo;
    /** A look from the mark on is wanted: rows were announced, or some were dropped from memory. */
    boolean hot = true;
    /** To be given to this node once no handler of the shard runs. */
    String leavingTo;

    private long mark;
    private long nextMark;
    private long highest;
    private long movedAt;
    /** Where the last page of a backlog ended. */
    private long readOnAbove = NO_MORE;

    private long lookedAt;

    HeldShard(Lease lease, long suspectUpTo, long now) {
        this.lease = lease;
        this.suspectUpTo = suspectUpTo;
        this.movedAt = now;
        this.lookedAt = now - BETWEEN_LOOKS_FROM_THE_MARK;
    }

    boolean wantsLook() {
        return hot || readOnAbove != NO_MORE;
    }

    /** The next page of a backlog; else, and now and then, what is above the mark, of which some is in memory already. */
    Window window(int inMemory, long now) {
        if (readOnAbove != NO_MORE && now - lookedAt < BETWEEN_LOOKS_FROM_THE_MARK) {
            return new Window(lease.shard(), readOnAbove, ROOM);
        }
        hot = false;
        lookedAt = now;
        if (now - movedAt > LAG) {
            mark = nextMark;
            nextMark = highest;
            movedAt = now;
        }
        return new Window(lease.shard(), mark, inMemory + ROOM);
    }

    Window fullWindow(int inMemory, long now) {
        hot = false;
        lookedAt = now;
        return new Window(lease.shard(), 0, inMemory + ROOM);
    }

    void seen(long seq) {
        highest = Math.max(highest, seq);
    }

    /** @param last number of the page's rows; there is more above it if the page was full */
    void pageRead(boolean full, long last) {
        readOnAbove = full ? last : NO_MORE;
    }

    void readAgain() {
        readOnAbove = NO_MORE;
        mark = 0;
        nextMark = 0;
        highest = 0;
        hot = true;
    }
}
