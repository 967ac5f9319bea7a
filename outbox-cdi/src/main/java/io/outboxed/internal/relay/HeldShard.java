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
    /** Rows of a shard in memory, at most: one shard whose handlers are slow must not take all of it. */
    static final int ROOM = 100;

    private static final long LAG = Duration.ofSeconds(15).toNanos();
    /** While a backlog is read on from page to page, a row that committed late below the page waits about so long. */
    private static final long BETWEEN_LOOKS_FROM_THE_MARK =
            Duration.ofMillis(500).toNanos();
    /** Where a snapshot is held, such a look steps over all that was settled since: 5 % of the time. */
    private static final int LOOK_SHARE = 20;

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

    private long lookDueAt;

    HeldShard(Lease lease, long suspectUpTo, long now) {
        this.lease = lease;
        this.suspectUpTo = suspectUpTo;
        this.movedAt = now;
        this.lookDueAt = now;
    }

    boolean wantsLook() {
        return hot || readOnAbove != NO_MORE;
    }

    /**
     * The next page of a backlog; else, and now and then, what is above the mark, of which some is in memory already.
     *
     * @param page how many new rows
     */
    Window window(int inMemory, int page, long now) {
        if (readOnAbove != NO_MORE && now - lookDueAt < 0) {
            return new Window(lease.shard(), readOnAbove, page);
        }
        hot = false;
        if (now - movedAt > LAG) {
            mark = nextMark;
            nextMark = highest;
            movedAt = now;
        }
        return new Window(lease.shard(), mark, inMemory + page);
    }

    Window fullWindow(int inMemory, int page) {
        hot = false;
        return new Window(lease.shard(), 0, inMemory + page);
    }

    void seen(long seq) {
        highest = Math.max(highest, seq);
    }

    /**
     * @param window what was read
     * @param last number of its rows
     * @param full it had as many rows as were asked for, so there is more above the last one
     * @param took nanoseconds
     */
    void wasRead(Window window, long last, boolean full, long now, long took) {
        if (window.above() != readOnAbove) {
            lookDueAt = now + Math.max(BETWEEN_LOOKS_FROM_THE_MARK, LOOK_SHARE * took);
        }
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
