package io.outboxed.internal.handlers.invocation;

/** How the last transaction of a delivery ended. */
enum TransactionOutcome {
    /** There was no transaction. */
    NONE,
    COMMITTED,
    ROLLED_BACK,
    /** The transaction was begun by the observer's own annotation: everything after it is rolled back as well. */
    ALL_ROLLED_BACK,
    /** The row had changed since it was read, or the database had silently rolled back. */
    LOST,
    /** It could not begin, or could not claim the row now: the handler was not called, not in an earlier one either. */
    NOT_BEGUN,
    /** The commit got no answer or came without the acknowledgement, or the claim was refused. */
    UNKNOWN
}
