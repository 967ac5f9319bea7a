package io.outboxed.internal.relay.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What has happened to the messages; sets are bits.
 *
 * @param done messages with a success
 * @param twice messages with two effects of a transactional handler
 * @param dead messages with a dead letter
 * @param seen rows that the receiver has seen
 * @param last row that the receiver has seen of each lane
 * @param foreign a node has decided without the lease
 */
record Ends(int done, int twice, int dead, int seen, List<Integer> last, boolean foreign) {
    static Ends none(int lanes) {
        return new Ends(0, 0, 0, 0, Collections.nCopies(lanes, 0), false);
    }

    boolean isDone(int message) {
        return has(done, message);
    }

    boolean isDead(int message) {
        return has(dead, message);
    }

    boolean isSeen(int seq) {
        return has(seen, seq);
    }

    private static boolean has(int bits, int bit) {
        return (bits & 1 << bit) != 0;
    }

    /** The receiver gets the event: an outside handler is called, or a transaction commits. */
    Ends seen(int lane, int seq) {
        List<Integer> now = new ArrayList<>(last);
        now.set(lane, seq);
        return new Ends(done, twice, dead, seen | 1 << seq, List.copyOf(now), foreign);
    }

    Ends done(int message) {
        return new Ends(done | 1 << message, twice, dead, seen, last, foreign);
    }

    Ends committed(int lane, ModelRow row) {
        int again = isDone(row.message()) ? 1 << row.message() : 0;
        return new Ends(done, twice | again, dead, seen, last, foreign)
                .done(row.message())
                .seen(lane, row.seq());
    }

    Ends deadLettered(int message) {
        return new Ends(done, twice, dead | 1 << message, seen, last, foreign);
    }

    Ends replayed(int message) {
        return new Ends(done, twice, dead & ~(1 << message), seen, last, foreign);
    }

    Ends writes(boolean byHolder) {
        return byHolder || foreign ? this : new Ends(done, twice, dead, seen, last, true);
    }
}
