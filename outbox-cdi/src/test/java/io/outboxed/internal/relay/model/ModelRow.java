package io.outboxed.internal.relay.model;

/**
 * A row of outbox_message with its delivery row, or what a node has read of it.
 *
 * @param split waits as a delivery of its own
 * @param attempts of the delivery
 * @param due of the delivery
 */
record ModelRow(int seq, int message, boolean split, int version, int starts, int attempts, boolean due, Hold hold) {

    /** Whose uncommitted transaction has the row's lock. */
    enum Hold {
        NONE,
        NODE_0,
        NODE_1,
        /** A transaction of a node that is gone or got no answer: it commits or rolls back. */
        IN_DOUBT,
        /** A frozen transaction that changes nothing. */
        ELSEWHERE;

        static Hold of(ModelNode node) {
            return node.number() == 0 ? NODE_0 : NODE_1;
        }
    }

    static ModelRow inserted(int seq, int message) {
        return new ModelRow(seq, message, false, 0, 0, 0, false, Hold.NONE);
    }

    boolean isFree() {
        return hold == Hold.NONE;
    }

    /** What a reader sees. */
    ModelRow read() {
        return new ModelRow(seq, message, split, version, starts, attempts, false, Hold.NONE);
    }

    ModelRow started() {
        return new ModelRow(seq, message, split, version + 1, starts + 1, attempts, due, hold);
    }

    ModelRow raised() {
        return new ModelRow(seq, message, split, version + 1, starts, attempts, due, hold);
    }

    ModelRow counted() {
        return new ModelRow(seq, message, split, version, starts, attempts + 1, due, hold);
    }

    ModelRow parked(int newAttempts, boolean nowDue) {
        return new ModelRow(seq, message, true, version + 1, 0, newAttempts, nowDue, hold);
    }

    ModelRow dueNow() {
        return new ModelRow(seq, message, split, version, starts, attempts, true, hold);
    }

    ModelRow heldBy(Hold by) {
        return new ModelRow(seq, message, split, version, starts, attempts, due, by);
    }

    @Override
    public String toString() {
        return "m" + message + "#" + seq + " v" + version + (split ? due ? " due" : " waits" : "")
                + (attempts > 0 ? " tried " + attempts : "") + (starts > 0 ? " started " + starts : "")
                + (isFree() ? "" : " held by " + hold);
    }
}
