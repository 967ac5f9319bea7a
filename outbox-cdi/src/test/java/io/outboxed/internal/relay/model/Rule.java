package io.outboxed.internal.relay.model;

/** The rules of the protocol; a search without one of them must find the violation that it prevents. */
enum Rule {
    /** A node is declared dead only when its lease has ended by its own clock. */
    DEATH_AFTER_LAPSE,
    /** No call begins without a valid lease. */
    LEASE_BEFORE_CALL,
    /** Decisions lock the shard's row with owner and epoch. */
    EPOCH_FENCE,
    /** A shard is released only when none of its handlers is running and each success is recorded. */
    HAND_OVER_WAITS,
    /** A shard on its way to another node starts nothing until the answer is known. */
    LEAVING_STARTS_NOTHING,
    /**
     * A shard that a node finds it owns, because another handed it over or its own takeover got no answer, has
     * suspects.
     */
    FOUND_HAS_SUSPECTS,
    /** A shard with suspects left is taken over like that of a dead node, even if it was released. */
    RELEASE_KEEPS_SUSPECTS,
    /** A handler's transaction marks the row before it calls the handler and deletes the marked row. */
    MARK_FIRST,
    /** A claim or its deletion that does not count 1 rolls back. */
    COUNT_OF_ONE,
    /** After a commit without an answer the row is read again before anything else of its lane. */
    READ_AGAIN,
    /** Starts of suspects and retries are counted before they run. */
    COUNT_BEFORE_RUN,
    /** The start of a suspect raises the version of the rows behind it. */
    START_RAISES_FOLLOWERS,
    /** A start is skipped if another transaction holds one of its rows. */
    START_IS_WHOLE,
    /** A success of a whole row is recorded only if the row has the version that was called. */
    ACKNOWLEDGE_BY_VERSION,
    /** A success of a whole row is not recorded on a row that has been split since. */
    ACKNOWLEDGE_BY_STATUS,
    /** Successes of a lane are recorded in their order. */
    NOTHING_BEHIND_A_HELD_ROW,
    /** A failure is decided only when the successes before it are recorded. */
    OUTCOMES_IN_ORDER,
    /** A transactional handler begins only when the successes before it are recorded. */
    TRANSACTION_WAITS_FOR_RECORDS,
    /** What comes behind a waiting message waits with it. */
    GROUP_WAITS,
    /** Of the waiting messages the one with the lowest number comes first, whatever else is due. */
    LOWEST_WAITING_FIRST,
    /** A skipped letter is replayed as a new row behind all others. */
    REPLAY_BEHIND
}
