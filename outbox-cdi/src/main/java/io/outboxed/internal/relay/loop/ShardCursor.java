package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;

/**
 * A shard that this node holds, and how far it has been read. Reading starts above a low-water mark that lags behind by one to
 * two times {@code outbox.relay.commit-lag}: rows below it have been seen, and a row that commits late has a number no lower
 * than that. Where rows were dropped from memory, everything is read again.
 *
 * <p>A backlog is read on from page to page, but only up to the highest number that was visible before its first page was
 * read. A row beyond it may have been written after a row of the same aggregate that became visible below the page that is
 * read by now; one up to it can not: it was numbered before, and what precedes it was committed by then.
 */
final class ShardCursor {
    /** Rows of a shard in memory, at most: one shard whose handlers are slow must not take all of it. */
    static final int ROOM = 100;

    private static final long NO_MORE = Long.MAX_VALUE;
    private static final long LONGEST_LEAVING = Duration.ofSeconds(1).toNanos();
    private static final long BETWEEN_LEAVINGS = Duration.ofSeconds(10).toNanos();

    final Lease lease;
    /** What its last owner may have been running when it died. */
    CrashSuspects suspects;
    /** A read from the mark on is needed: rows were announced, or some were dropped from memory. */
    boolean hot = true;
    /** Rows that committed late may stand below the page of the backlog that is read on. */
    boolean mayHaveLate;

    private final long commitLag;
    private long mark;
    private long nextMark;
    private long highest;
    private long movedAt;
    /** Where the last page of a backlog ended, and how far it may be read on. */
    private long readOnAbove = NO_MORE;

    private long readOnUpTo;
    private boolean wentBack;
    private String leavingTo;
    private long leavingSince;

    ShardCursor(Lease lease, CrashSuspects suspects, Duration commitLag, long now) {
        this.lease = lease;
        this.suspects = suspects;
        this.commitLag = commitLag.toNanos();
        this.movedAt = now;
        this.leavingSince = now - BETWEEN_LEAVINGS;
    }

    boolean wantsLook() {
        return hot || readOnAbove != NO_MORE;
    }

    /**
     * The next page of a backlog; otherwise, and from time to time, the rows above the mark, some of which are in memory.
     *
     * @param page how many new rows
     * @param visible the highest number that was visible before this read
     */
    ReadWindow window(int inMemory, int page, long visible, long now) {
        if (readOnAbove != NO_MORE && !mayHaveLate) {
            wentBack = false;
            return new ReadWindow(lease.shard(), readOnAbove, page);
        }
        hot = false;
        wentBack = readOnAbove != NO_MORE;
        mayHaveLate = false;
        readOnAbove = NO_MORE;
        readOnUpTo = visible;
        if (now - movedAt > commitLag) {
            mark = nextMark;
            nextMark = highest;
            movedAt = now;
        }
        return new ReadWindow(lease.shard(), mark, inMemory + page);
    }

    ReadWindow fullWindow(int inMemory, int page, long visible) {
        hot = false;
        mayHaveLate = false;
        readOnAbove = NO_MORE;
        readOnUpTo = visible;
        return new ReadWindow(lease.shard(), 0, inMemory + page);
    }

    /** Whether the page that is being read may bring this row; otherwise it is read from the mark on. */
    boolean mayBring(MessageHead head) {
        return readOnAbove == NO_MORE || head.seq() <= readOnUpTo;
    }

    /** Whether the last window went back behind the page where the backlog is read on. */
    boolean wentBack() {
        return wentBack;
    }

    /**
     * @param last number of the rows read
     * @param full there were as many rows as were asked for, so there is more above the last one
     */
    void wasRead(long last, boolean full) {
        boolean on = full && last < readOnUpTo;
        readOnAbove = on ? last : NO_MORE;
        hot |= full && !on;
    }

    /** A row that is in memory now, or has left it for its lane. */
    void seen(long seq) {
        highest = Math.max(highest, seq);
    }

    /** A row for which there was no room: the mark must not pass it. */
    void leftBehind(long seq) {
        mark = Math.min(mark, seq - 1);
        nextMark = Math.min(nextMark, seq - 1);
        highest = Math.min(highest, seq - 1);
    }

    boolean isBelowMark(long seq) {
        return seq <= mark;
    }

    void readAgain() {
        readOnAbove = NO_MORE;
        mark = 0;
        nextMark = 0;
        highest = 0;
        hot = true;
    }

    // ---- leaving: nothing starts, so that what runs comes to its end; but not for long ----

    boolean isLeaving() {
        return leavingTo != null;
    }

    String leavingTo() {
        return leavingTo;
    }

    /** @return false if it tried in vain a short time ago */
    boolean leave(String newOwner, long now) {
        if (now - leavingSince < BETWEEN_LEAVINGS) {
            return false;
        }
        leavingTo = newOwner;
        leavingSince = now;
        return true;
    }

    /** @return true if what runs has not ended in time: it stays, and goes on */
    boolean givesUpLeaving(long now) {
        boolean tooLong = now - leavingSince >= LONGEST_LEAVING;
        if (tooLong) {
            leavingTo = null;
            hot = true;
        }
        return tooLong;
    }
}
