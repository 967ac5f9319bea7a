package io.outboxed.internal.relay;

/** What a simulated world may have in it; a seed draws some of them. */
enum Feature {
    // what goes wrong with nodes
    CRASHES,
    FREEZES,
    SUSPENSIONS,
    JOINS,
    LEAVES,
    DEPLOYMENT,
    /** Nodes of the older version start after the newer one, and one of them stays. */
    OLD_VERSION,
    /** At the end all nodes are new; otherwise those that went through the faults must recover by themselves. */
    REPLACED_AT_THE_END,
    /** Each answer takes milliseconds. */
    SLOW_DATABASE,
    // what goes wrong with the database: at the n-th call from now on, whatever that is
    OUTAGES,
    CUT_CALLS,
    LOST_ANSWERS,
    /** Every second answer to a count of suspects' starts. */
    LOST_COUNTS,
    /**
     * A failover loses the commit of a success while further handlers of the event are to be called. Not noticed if
     * other updates of the row, by a successor that parks it and counts a start, give the lost version again.
     */
    LOST_COMMITS,
    SLOW_CALLS,
    PAUSED_CALLS,
    /** Nodes freeze just before they record successes, until others have taken over and repeat the calls. */
    ZOMBIES,
    // what handlers do
    FAILURES,
    LOST_CLAIMS,
    UNKNOWN_COMMITS,
    REFUSED_COMMITS,
    POISON,
    DEFERRED,
    DOWN,
    LONG_CALLS,
    HUNG_CALLS,
    /** A receiver is down at first, so a backlog builds up; then it is slow, while other messages form a long lane. */
    RETRY_BACKLOG,
    /** Until nothing new goes wrong, one of them needs about a second for each event of many aggregates. */
    SLOW_HANDLER,
    /** Receivers that are down stay down for up to a minute, and a single node probes them, with the default delay. */
    LONG_OUTAGES,
    // what writers do
    /** More of them, all at once: pages are full, and so is memory. */
    RUSH,
    LATE_COMMITS,
    VERY_LATE_COMMITS,
    ROLLBACKS,
    BULK,
    BURSTS,
    DELAYED,
    GROUPS,
    UNKNOWN_TYPES,
    MAILS,
    // how it is set up
    SMALL_MEMORY,
    BLOCK,
    REPLAYS,
    /** Two aggregates, and no more memory than one page of waiting deliveries needs. */
    ONE_PAGE,
    /** One shard with more long lanes than are read by turns, so the others are parked. */
    MANY_LONG_LANES,
    /** The newer version has a group of two handlers of any type. */
    CATCH_ALL,
    /** The newer version has the first handler of a type in groups that have handlers of other types. */
    FIRST_OF_A_GROUP,
    /** Some of the handlers outside a transaction are forwarders. */
    FORWARDERS,
    /** An operator pauses and resumes handlers, types and everything. */
    PAUSES,
    /** Handlers take batches, in whose middle nodes die, stand still or lose their connection, and rows vanish. */
    BATCHES,
    /** Nodes claim lanes by locks. */
    LANE_LOCKS,
    /** Nodes claim lanes by rows. */
    CLAIM_ROWS,
    /** The sessions of their locks end while they go on. */
    LOST_SESSIONS,
    /** When they die, their sessions and transactions stay until the server ends them as idle. */
    VANISHED_HOSTS;

    /** Whether a node may lose a shard, or what it knows of one, before it has stored what follows from its calls. */
    boolean losesShards() {
        return repeats()
                && switch (this) {
                    case JOINS, LOST_CLAIMS, UNKNOWN_COMMITS, REFUSED_COMMITS, HUNG_CALLS -> false;
                    default -> true;
                };
    }

    /** Whether a call may be repeated for a reason that is not in the policy. */
    boolean repeats() {
        return switch (this) {
            case CRASHES,
                    FREEZES,
                    BATCHES,
                    LOST_SESSIONS,
                    VANISHED_HOSTS,
                    SUSPENSIONS,
                    JOINS,
                    LEAVES,
                    DEPLOYMENT,
                    OLD_VERSION,
                    REPLACED_AT_THE_END,
                    OUTAGES,
                    CUT_CALLS,
                    LOST_ANSWERS,
                    LOST_COUNTS,
                    LOST_COMMITS,
                    SLOW_CALLS,
                    PAUSED_CALLS,
                    ZOMBIES,
                    LOST_CLAIMS,
                    UNKNOWN_COMMITS,
                    REFUSED_COMMITS,
                    LONG_CALLS,
                    HUNG_CALLS -> true;
            default -> false;
        };
    }
}
