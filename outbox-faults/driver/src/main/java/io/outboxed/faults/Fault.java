package io.outboxed.faults;

/** What is done to the nodes, their connections and the database, and how often in one round of the plan. */
enum Fault {
    KILL_NODE("node killed", 1, true),
    KILL_AFTER_TAKEOVER("node killed when the database had committed that it takes over a shard", 1, true),
    KILL_AFTER_CLAIM("node killed when the database had executed the claim of a transactional delivery", 1, true),
    KILL_IN_HANDLER("node killed in a handler that had done its work", 1, true),
    KILL_BEFORE_ACK("node killed before an acknowledgement reached the database", 1, true),
    KILL_DURING_ACK("node killed when the database had executed an acknowledgement", 1, true),
    KILL_DURING_COMMIT("node killed when the database had committed an acknowledgement", 1, true),
    KILL_ALL_NODES("all nodes without another fault, two or three, killed at once", 0, true),
    FREEZE_PAST_LEASE("node frozen for 11 to 17 s", 2, true),
    FREEZE_SHORTLY("node frozen for up to 9 s", 1, true),
    RESTART_NODE("node stopped and restarted", 1, true),
    CHANGE_VERSION("node replaced by one of the other version", 1, true),
    ROLLING_RESTART("all nodes replaced in turn by the other version", 0, true),
    KILL_DATABASE("database killed", 2, false),
    DISK_FULL("the database's disk full for 3 to 12 s", 1, false),
    NO_NETWORK("database unreachable for all nodes for 3 to 20 s", 1, false),
    CUT_CONNECTIONS("connections of a node reset", 1, false),
    HALF_OPEN("connections of a node silent for 3 to 25 s", 2, true),
    LOSE_ANSWERS("answers of the database to a node lost for 3 to 15 s", 1, true),
    LOSE_PACKETS("one packet in ten lost and sent again, for 10 s", 1, false),
    LATENCY("20 to 150 ms of extra latency, each way, for 10 s", 1, false),
    EXHAUST_POOL("a node's connection pool exhausted for 5 to 15 s", 1, false),
    HANGING_HANDLERS("three handler calls hang for 5 to 30 s", 1, false),
    STUCK_HANDLER("a handler call never returns and ignores interrupts", 1, false),
    OUT_OF_MEMORY("three handler calls end in an OutOfMemoryError", 1, false),
    REPLAY("replays of dead letters during the run", 2, false),
    BULK_REPLAY("bulk replays of dead letters, two a second, on which all nodes work", 1, false),
    BULK_DISCARD("bulk discards of dead letters of poison, two a second, on which all nodes work", 1, false),
    BULK_RETRY("bulk retries of what waits for its next attempt, five a second", 1, false);

    final String text;
    final int inEachRound;

    /** Whether it takes a node away for a while. */
    final boolean hitsNode;

    Fault(String text, int inEachRound, boolean hitsNode) {
        this.text = text;
        this.inEachRound = inEachRound;
        this.hitsNode = hitsNode;
    }

    /** Done by an operator on purpose, and no fault. */
    boolean isOperatorAction() {
        return this == REPLAY || this == BULK_REPLAY || this == BULK_DISCARD || this == BULK_RETRY;
    }
}
