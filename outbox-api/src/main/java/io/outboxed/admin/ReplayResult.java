package io.outboxed.admin;

/** What became of a request to replay a dead letter. */
public enum ReplayResult {
    /** It is delivered once more. */
    REPLAYED,
    /** There is no such dead letter, or it no longer exists. Nothing was changed. */
    NOT_FOUND,
    /**
     * The event would come behind newer ones of its aggregate, and the caller has not allowed that. Nothing was
     * changed.
     */
    WOULD_REORDER
}
