package io.outboxed.internal.relay.model;

/** The rules of the protocol; a search without one of them must find what it is for. */
enum Rule {
    /** A node is declared dead only when its own clock has ended its lease. */
    DEATH_AFTER_LAPSE,
    /** No call begins without a valid lease. */
    LEASE_BEFORE_CALL,
    /** Decisions lock the shard's row with owner and epoch. */
    EPOCH_FENCE,
    /** A shard is given back only when none of its handlers runs and each success is recorded. */
    HAND_OVER_WAITS,
    /** A shard on its way to another node starts nothing until the answer is known. */
    LEAVING_STARTS_NOTHING,
    /** A shard that a node finds to be its own, given by another or taken without an answer, has suspects. */
    FOUND_HAS_SUSPECTS,
    /** A shard of which suspects are left is taken over as that of a dead node, even if it is released. */
    RELEASE_KEEPS_SUSPECTS,
    /** A handler's transaction marks the row before it calls the handler and deletes the marked row. */
    MARK_FIRST,
    /** A mark or its deletion that does not count 1 rolls back. */
    COUNT_OF_ONE,
    /** After a commit without an answer the row is read again before anything else of its lane. */
    READ_AGAIN,
    /** Starts of suspects and retries are counted before they run. */
    COUNT_BEFORE_RUN,
    /** The start of a suspect raises the version of the rows behind it. */
    START_RAISES_FOLLOWERS,
    /** A start of which one row is in other hands is left out. */
    START_IS_WHOLE,
    /** A success of a whole row is recorded only if the row has the version that was called. */
    SETTLE_BY_VERSION,
    /** A success of a whole row is not recorded on a row that has been split since. */
    SETTLE_BY_STATUS,
    /** Successes of a lane are recorded in their order. */
    NOTHING_BEHIND_A_HELD_ROW,
    /** A failure is decided when the successes before it are recorded. */
    OUTCOMES_IN_ORDER,
    /** A transactional handler begins when the successes before it are recorded. */
    TRANSACTION_WAITS_FOR_RECORDS,
    /** What comes behind a waiting message waits with it. */
    GROUP_WAITS,
    /** Of what waits the message with the lowest number comes first, whatever else is due. */
    LOWEST_WAITING_FIRST,
    /** A skipped letter is replayed as a new row behind all others. */
    REPLAY_BEHIND
}
