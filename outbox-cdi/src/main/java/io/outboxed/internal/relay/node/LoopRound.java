package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.RelayReadings;
import io.outboxed.internal.relay.Liveness;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.loop.RelayLoop;
import java.time.Duration;

/** A round of the loop's thread: one iteration, and what follows from one that fails. */
final class LoopRound implements RelayThread.Round {
    private static final long PAUSE_AFTER_FAILURE = Duration.ofMillis(200).toNanos();

    private final RelayLoop relay;
    private final Mailbox mailbox;
    private final Membership membership;
    private final RelayReadings readings;
    private final Liveness liveness;
    private final OutageLog iterations = new OutageLog(OutboxLog::iterationFailed, OutboxLog::iterationsRecovered);
    /** An error has ended an iteration or its reset: what the loop knows may be wrong. */
    private boolean crashed;

    private volatile boolean idle = true;
    private volatile int shards;

    LoopRound(RelayDependencies dependencies, RelayLoop relay, Mailbox mailbox, Membership membership) {
        this.relay = relay;
        this.mailbox = mailbox;
        this.membership = membership;
        this.readings = dependencies.meters().readings();
        this.liveness = new Liveness(dependencies.nanoClock());
    }

    @Override
    public long run() throws InterruptedException {
        long pause = iterate();
        liveness.completed();
        return pause;
    }

    private long iterate() throws InterruptedException {
        try {
            return iterateOrReset();
        } catch (RuntimeException | Error e) {
            crashed = true;
            try {
                // before the membership begins another session, and before the lanes are given back
                relay.abandonLocks();
            } finally {
                membership.crashed();
            }
            OutboxLog.loopCrashed(e);
            readings.iterated(0, true);
            return PAUSE_AFTER_FAILURE;
        }
    }

    /** @throws RuntimeException if even the reset has failed */
    private long iterateOrReset() throws InterruptedException {
        try {
            if (crashed) {
                relay.lostAll();
                crashed = false;
            }
            long wait = relay.iterate();
            if (!relay.isStalled() && relay.heldShards() > 0) {
                iterations.worked();
            }
            look();
            mailbox.await(wait);
            return 0;
        } catch (RuntimeException e) {
            iterations.failed(e);
            readings.iterated(0, true);
            relay.reset();
            look();
            return PAUSE_AFTER_FAILURE;
        }
    }

    private void look() {
        idle = relay.isIdle();
        shards = relay.heldShards();
    }

    Liveness liveness() {
        return liveness;
    }

    /** Whether nothing was running or to be written after the last iteration. Called by any thread. */
    boolean wasIdle() {
        return idle;
    }

    /** The number of shards held after the last iteration. Called by any thread. */
    int shards() {
        return shards;
    }
}
