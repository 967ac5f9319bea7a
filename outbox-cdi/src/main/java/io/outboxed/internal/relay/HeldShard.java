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
    /** Rows of an aggregate with a long backlog are put aside and take no room: so many of them are read at once. */
    private static final int MOST_SET_ASIDE = 1000;

    private static final long NO_MORE = Long.MAX_VALUE;

    final Lease lease;
    /** Rows up to this number may have been running when their node died; 0 after a clean hand-over. */
    final long suspectUpTo;
    /** A look from the mark on is wanted: rows were announced, or some were dropped from memory. */
    boolean hot = true;
    /** Rows that committed late may stand below the page of the backlog that is read on. */
    boolean mayHaveLate;
    /** To be given to this node once no handler of the shard runs. */
    String leavingTo;

    private long mark;
    private long nextMark;
    private long highest;
    private long movedAt;
    /** Where the last page of a backlog ended. */
    private long readOnAbove = NO_MORE;
    /** How many rows of the last page were put aside. */
    private int setAside;

    HeldShard(Lease lease, long suspectUpTo, long now) {
        this.lease = lease;
        this.suspectUpTo = suspectUpTo;
        this.movedAt = now;
    }

    void setAside(int rows) {
        setAside += rows;
    }

    /** What was put aside of the last page is twice expected of the next one. */
    int takeExpectedAside() {
        int expected = Math.min(MOST_SET_ASIDE, 2 * setAside);
        setAside = 0;
        return expected;
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
        if (readOnAbove != NO_MORE && !mayHaveLate) {
            return new Window(lease.shard(), readOnAbove, page);
        }
        hot = false;
        mayHaveLate = false;
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

    /** Whether the window goes back behind the page where the backlog is read on. */
    boolean goesBack(Window window) {
        return readOnAbove != NO_MORE && window.above() != readOnAbove;
    }

    /**
     * @param last number of the rows read
     * @param full there were as many rows as were asked for, so there is more above the last one
     */
    void wasRead(long last, boolean full) {
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
