package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;

/**
 * A shard of which each node has those lanes that it has locked. Rows of other nodes' lanes stay among its own, so the
 * mark stays at the start, and a pass over the backlog is long: a page from the start interrupts it, and does not begin
 * it again. Pages that bring nothing are read on slowly.
 */
final class SharedShard extends ShardCursor {
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    /** Where the pass continues after this page from the start. */
    private long resumeAbove = NO_MORE;
    /** The last page has brought nothing. */
    private boolean fruitless;
    /** Another pass is needed, but not soon: this one was fruitless. */
    private boolean again;
    /** It is time for the next page of the pass. */
    private boolean readsOn;

    SharedShard(Lease lease, CrashSuspects suspects, long now) {
        super(lease, suspects, FOR_EVER, now);
    }

    /** Whether the pass continues, or begins again, as soon as it is time. */
    boolean isUnfinished() {
        return again || readOnAbove != NO_MORE;
    }

    /**
     * @param hasRoom lanes could be claimed now
     * @param evenFruitless also after a page that brought nothing
     */
    void mayReadOn(boolean hasRoom, boolean evenFruitless) {
        readsOn = hasRoom && (!fruitless || evenFruitless);
    }

    @Override
    boolean wantsRead() {
        return needsRead || readsOn && isUnfinished();
    }

    /** Without a reason to read on, it was announced or swept: the first rows are read, and the pass stays where it is. */
    @Override
    ReadWindow window(int inMemory, int page, long visible, long now) {
        boolean late = mayHaveLate;
        // one page from the start, and then one of the pass
        if (readsOn && readOnAbove != NO_MORE && (!late || wentBack())) {
            mayHaveLate = false;
            ReadWindow next = super.window(inMemory, page, visible, now);
            mayHaveLate = late;
            return next;
        }
        resumeAbove = readOnAbove;
        long upTo = readOnUpTo;
        mayHaveLate = true;
        again = false;
        ReadWindow first = super.window(inMemory, page, visible, now);
        if (resumeAbove != NO_MORE) {
            readOnUpTo = upTo;
        }
        return first;
    }

    /** The page that was read has brought rows into memory, or claimed lanes, or not. */
    void brought(boolean any) {
        fruitless = !any;
        readsOn &= any;
    }

    @Override
    void wasRead(long last, boolean full) {
        boolean neededRead = needsRead;
        needsRead = false;
        super.wasRead(resumeAbove == NO_MORE ? last : Math.max(last, resumeAbove), full);
        resumeAbove = NO_MORE;
        again = needsRead && fruitless;
        needsRead = neededRead || needsRead && !fruitless;
    }

    @Override
    void readAgain() {
        super.readAgain();
        resumeAbove = NO_MORE;
    }
}
