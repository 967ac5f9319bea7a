package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;

/**
 * A shard that this node holds, and how far it has been read. Reading starts above a low-water mark that lags behind by
 * at least {@code outbox.relay.commit-lag}: rows below it have been seen, and a row that commits late within that time
 * was read before the mark passed it. If rows were dropped from memory, everything is read again.
 *
 * <p>A backlog is read page by page, but only up to the highest number that was visible before its first page was read.
 * A row above that number may follow a row of the same aggregate that has become visible below the current page. A row
 * up to that number can't: it was numbered before the first page was read, and its predecessors were committed by then.
 */
class ShardCursor {
    /** The most rows of a shard in memory: one shard with slow handlers must not take all of it. */
    static final int ROOM = 100;

    static final long NO_MORE = Long.MAX_VALUE;
    private static final long LONGEST_LEAVING = Duration.ofSeconds(1).toNanos();
    private static final long BETWEEN_LEAVINGS = Duration.ofSeconds(10).toNanos();

    final Lease lease;
    /** What its last owner may have been running when it died. */
    final CrashSuspects suspects;
    /** A read from the mark is needed: rows were announced, or some were dropped from memory. */
    boolean needsRead = true;
    /** Rows that committed late may be below the page of the backlog that is read next. */
    boolean mayHaveLate;
    /** Since this node gained the shard, everything due has been read, and no parked message was among it. */
    boolean noneParked;
    /** The answer to its hand-over was lost. */
    boolean mayHaveLeft;

    private final long commitLag;
    private long mark;
    private long nextMark;
    private long highest;
    private long movedAt;
    /** A window from the mark was asked for after the commit lag: the mark may move. */
    private boolean lateOnesRead;
    /** Where the last page of a backlog ended; the next one is read above it, up to {@code readOnUpTo}. */
    long readOnAbove = NO_MORE;

    long readOnUpTo;
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

    boolean wantsRead() {
        return needsRead || readOnAbove != NO_MORE;
    }

    /**
     * The next page of a backlog; otherwise, and from time to time, the rows above the mark, some of which are already
     * in memory.
     *
     * @param page how many new rows
     * @param visible the highest number that was visible before this read
     */
    ReadWindow window(int inMemory, int page, long visible, long now) {
        if (readOnAbove != NO_MORE && !mayHaveLate) {
            wentBack = false;
            return new ReadWindow(lease.shard(), readOnAbove, page);
        }
        wentBack = readOnAbove != NO_MORE;
        fromMark(visible, now);
        return new ReadWindow(lease.shard(), mark, inMemory + page);
    }

    /** All rows: those above the mark, and those that became visible too late for it. */
    ReadWindow fullWindow(int inMemory, int page, long visible, long now) {
        wentBack = false;
        fromMark(visible, now);
        return new ReadWindow(lease.shard(), 0, inMemory + page);
    }

    private void fromMark(long visible, long now) {
        needsRead = false;
        mayHaveLate = false;
        readOnAbove = NO_MORE;
        readOnUpTo = visible;
        boolean mayMove = now - movedAt > commitLag;
        if (mayMove && lateOnesRead) {
            mark = nextMark;
            nextMark = highest;
            movedAt = now;
            mayMove = false;
        }
        lateOnesRead = mayMove;
    }

    /** Whether the current page may bring in this row; otherwise the row has to be read from the mark. */
    boolean mayBring(MessageHead head) {
        return readOnAbove == NO_MORE || head.seq() <= readOnUpTo;
    }

    /** Whether the last window went back to the mark although a backlog is being read on. */
    boolean wentBack() {
        return wentBack;
    }

    /**
     * @param last the highest number that was read
     * @param full there were as many rows as requested, so there is more above the last one
     */
    void wasRead(long last, boolean full) {
        if (full && last >= mark) {
            notPast(last);
        } else if (full) {
            // a read of all rows has ended below the mark, in rows of lanes that windows left out when it passed them
            lateOnesRead = false;
        }
        boolean on = full && last < readOnUpTo;
        readOnAbove = on ? last : NO_MORE;
        needsRead |= full && !on;
    }

    /** This row is in memory now, or has left it for its lane. */
    void seen(long seq) {
        highest = Math.max(highest, seq);
    }

    /** There was no room for this row: the mark must not pass it. */
    void leftBehind(long seq) {
        notPast(seq - 1);
    }

    /** There are rows above that have not been seen, although some above them may have been. */
    private void notPast(long seq) {
        mark = Math.min(mark, seq);
        nextMark = Math.min(nextMark, seq);
        highest = Math.min(highest, seq);
    }

    boolean isBelowMark(long seq) {
        return seq <= mark;
    }

    void readAgain() {
        readOnAbove = NO_MORE;
        mark = 0;
        nextMark = 0;
        highest = 0;
        needsRead = true;
    }

    // ---- leaving: nothing is started, so that running calls come to their end; limited in time ----

    boolean isLeaving() {
        return leavingTo != null;
    }

    /** The next owner will treat it as clean. */
    boolean mayLeave() {
        return !isLeaving() && suspects.isExhausted();
    }

    String leavingTo() {
        return leavingTo;
    }

    /** @return false if an earlier attempt has failed a short time ago */
    boolean requestHandOver(String newOwner, long now) {
        if (now - leavingSince < BETWEEN_LEAVINGS) {
            return false;
        }
        leavingTo = newOwner;
        leavingSince = now;
        return true;
    }

    /** @return true if the running calls have not ended in time: the shard stays and continues */
    boolean abortLeaving(long now) {
        boolean tooLong = now - leavingSince >= LONGEST_LEAVING;
        if (tooLong) {
            leavingTo = null;
            needsRead = true;
        }
        return tooLong;
    }
}
