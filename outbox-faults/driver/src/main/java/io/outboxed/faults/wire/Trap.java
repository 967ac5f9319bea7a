package io.outboxed.faults.wire;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops a connection of a node at a chosen moment, so that the node can be killed there. */
public final class Trap {

    public enum Moment {
        AFTER_CLAIM,
        AFTER_TAKEOVER,
        BEFORE_ACK,
        DURING_ACK,
        DURING_COMMIT
    }

    private final Moment moment;
    private final AtomicInteger left;
    private final CountDownLatch sprung = new CountDownLatch(1);

    /** @param occurrence 1 for the next such statement */
    public Trap(Moment moment, int occurrence) {
        this.moment = moment;
        this.left = new AtomicInteger(occurrence);
    }

    /** @param before what was said before in the same transaction */
    boolean isFor(StatementKind statement, Set<StatementKind> before) {
        boolean matches = switch (moment) {
            case AFTER_CLAIM -> statement == StatementKind.CLAIM;
            case BEFORE_ACK, DURING_ACK -> statement == StatementKind.ACK;
            case AFTER_TAKEOVER -> statement == StatementKind.COMMIT && before.contains(StatementKind.TAKEOVER);
            case DURING_COMMIT -> statement == StatementKind.COMMIT && before.contains(StatementKind.ACK);
        };
        return matches && left.decrementAndGet() == 0;
    }

    /** Whether the statement itself is held; otherwise the database's answer to it. */
    boolean holdsStatement() {
        return moment == Moment.BEFORE_ACK;
    }

    void spring() {
        sprung.countDown();
    }

    /** @return whether a connection has stopped */
    public boolean await(long millis) {
        try {
            return sprung.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
