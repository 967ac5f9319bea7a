package io.outboxed.internal.retention;

/**
 * How far the cleanup of one table has come. The limit stays the same during a pass, so that it ends.
 *
 * @param from rows before this time are gone, in microseconds since 1970 UTC
 * @param until rows from this time on are kept
 * @param deleted how many rows this pass has deleted
 * @param finished whether there is nothing left to delete
 */
public record CleanupPass(AgedTable table, long from, long until, long deleted, boolean finished) {

    static CleanupPass begin(AgedTable table, long until) {
        return new CleanupPass(table, 0, until, 0, false);
    }

    CleanupPass next(long newFrom, int rows, boolean last) {
        return new CleanupPass(table, newFrom, until, deleted + rows, last);
    }
}
