package io.outboxed.internal.database;

/** What to do after a statement of a caller's transaction has failed, so that the transaction rolls back. */
public final class RetryAdvice {
    private RetryAdvice() {}

    public static String after(RuntimeException failure) {
        if (SqlFailure.isLocked(failure)) {
            return "Another transaction held a row for longer than the lock timeout: retry the whole transaction";
        }
        if (SqlFailure.isCancelled(failure)) {
            return "The database cancelled the statement, probably because of a statement timeout:"
                    + " retry the whole transaction";
        }
        if (SqlFailure.isRolledBack(failure)) {
            return "Another transaction got in the way (a deadlock, or a row that changed after this transaction took"
                    + " its snapshot): retry the whole transaction";
        }
        if (SqlFailure.isTransient(failure)) {
            return "The connection was lost: retry the whole transaction";
        }
        return "The cause contains the database's error. Retry the whole transaction only if that can help";
    }
}
