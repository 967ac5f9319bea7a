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

    final Lease lease;
    /** Rows up to this number may have been running when their node died; 0 after a clean hand-over. */
    final long suspectUpTo;
    /** More rows are known or likely to be there. */
    boolean hot = true;
    /** To be given to this node once no handler of the shard runs. */
    String leavingTo;

    private long mark;
    private long nextMark;
    private long highest;
    private long movedAt;

    HeldShard(Lease lease, long suspectUpTo, long now) {
        this.lease = lease;
        this.suspectUpTo = suspectUpTo;
        this.movedAt = now;
    }

    Window window(int inMemory, long now) {
        if (now - movedAt > LAG) {
            mark = nextMark;
            nextMark = highest;
            movedAt = now;
        }
        return new Window(lease.shard(), mark, inMemory + ROOM);
    }

    Window fullWindow(int inMemory) {
        return new Window(lease.shard(), 0, inMemory + ROOM);
    }

    void seen(long seq) {
        highest = Math.max(highest, seq);
    }

    void readAgain() {
        mark = 0;
        nextMark = 0;
        highest = 0;
        hot = true;
    }
}
