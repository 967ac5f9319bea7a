package io.outboxed.faults;

/** What is done to the nodes, their connections and the database, and how often in one round of the plan. */
enum Fault {
    KILL_NODE(3),
    KILL_ALL_NODES(0),
    FREEZE_PAST_LEASE(2),
    FREEZE_SHORTLY(1),
    RESTART_NODE(1),
    KILL_DATABASE(2),
    CUT_CONNECTIONS(2),
    HALF_OPEN(2),
    LATENCY(1),
    HANGING_HANDLERS(2),
    REPLAY(2);

    final int inEachRound;

    Fault(int inEachRound) {
        this.inEachRound = inEachRound;
    }

    /** Whether it takes a node away for a while. */
    boolean hitsNode() {
        return switch (this) {
            case KILL_NODE, FREEZE_PAST_LEASE, FREEZE_SHORTLY, RESTART_NODE, HALF_OPEN -> true;
            default -> false;
        };
    }
}
