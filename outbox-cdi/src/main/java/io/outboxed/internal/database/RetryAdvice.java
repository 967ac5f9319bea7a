package io.outboxed.internal.database;

/** What to do after a statement of a caller's transaction has failed, so that the transaction rolls back. */
public final class RetryAdvice {
    private RetryAdvice() {}

    public static String after(RuntimeException failure) {
        if (SqlFailure.isLocked(failure)) {
            return "Another transaction held a row for longer than the lock timeout: repeat the whole transaction";
        }
        if (SqlFailure.isCancelled(failure)) {
            return "The database ended the statement, probably at its limit of time: repeat the whole transaction";
        }
        if (SqlFailure.isRolledBack(failure)) {
            return "Another transaction was in the way (a deadlock, or a row that was changed after this transaction's"
                    + " snapshot): repeat the whole transaction";
        }
        if (SqlFailure.isTransient(failure)) {
            return "The connection was lost: repeat the whole transaction";
        }
        return "The cause contains the database's error. Repeat the whole transaction only if that can help";
    }
}
