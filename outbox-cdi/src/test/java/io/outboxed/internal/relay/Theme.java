package io.outboxed.internal.relay;

import static io.outboxed.internal.relay.Feature.*;

import java.util.EnumSet;
import java.util.Set;

/** What has to come together for something to go wrong; each is named after what would. */
enum Theme {
    TRIES_BEFORE_THEIR_TIME(FAILURES, DEFERRED),
    SUCCESSOR_OVERTAKES_LATE_COMMIT(RUSH, SMALL_MEMORY, LATE_COMMITS, BULK),
    COUNT_STORED_LATE(FAILURES, CUT_CALLS, OUTAGES),
    REPLAY_IS_NOT_SEEN(POISON, REPLAYS),
    REPLAY_OF_A_BLOCKED_AGGREGATE(POISON, REPLAYS, BLOCK),
    COMMIT_REFUSED_EACH_TIME(REFUSED_COMMITS, UNKNOWN_COMMITS),
    FIRST_HANDLER_OF_A_TYPE(UNKNOWN_TYPES, DEPLOYMENT),
    COMMIT_LATER_THAN_THE_MARK(VERY_LATE_COMMITS, BULK),
    HEALTHY_NODE_DECLARED_DEAD(SLOW_CALLS, JOINS),
    SUCCESSES_OF_A_WOKEN_ZOMBIE(RUSH, MAILS, SLOW_DATABASE, FREEZES, PAUSED_CALLS),
    HUNG_CALLS_STOP_THEIR_HANDLER(HUNG_CALLS),
    HUNG_CALL_IN_A_LEAVING_SHARD(HUNG_CALLS, JOINS),
    HANDLER_DOWN(DEFERRED, DOWN, FAILURES),
    SUSPECTS_AFTER_A_CRASH(RUSH, CRASHES, CUT_CALLS),
    ORDER_OF_A_GROUP(FAILURES, GROUPS);

    private final Set<Feature> features;

    Theme(Feature first, Feature... others) {
        this.features = EnumSet.of(first, others);
    }

    Set<Feature> features() {
        return features;
    }
}
