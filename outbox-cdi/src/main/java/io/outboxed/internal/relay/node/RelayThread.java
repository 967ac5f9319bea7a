package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One of the node's own threads: endless work, divided into rounds. It can be started again if it has ended. */
final class RelayThread {
    private final String name;
    private final Round round;
    private final BooleanSupplier mayEnd;
    private final Semaphore pause = new Semaphore(0);
    private volatile CountDownLatch ended = new CountDownLatch(0);
    private volatile boolean started;
    /** When its next round is to be done by the thread that waits for its end; null: none has been. */
    private Long nextInItsPlace;

    /** @param mayEnd queried between two rounds */
    RelayThread(String name, Round round, BooleanSupplier mayEnd) {
        this.name = name;
        this.round = round;
        this.mayEnd = mayEnd;
    }

    /** A short piece of work. */
    interface Round {
        /** @return nanoseconds until the next round */
        long run() throws InterruptedException;
    }

    void start(Executor executor) {
        ended = new CountDownLatch(1);
        boolean accepted = false;
        try {
            executor.execute(this::run);
            accepted = true;
            started = true;
        } finally {
            if (!accepted) {
                ended.countDown();
            }
        }
    }

    void restartIfEnded(Executor executor) {
        if (hasEnded()) {
            OutboxLog.threadRestarted(name);
            start(executor);
        }
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Ends the pause between two rounds. */
    void wake() {
        pause.release();
    }

    /** Whether it has ended, and nothing is left for it to do. */
    boolean isDone() {
        return hasEnded() && (!started || mayEnd.getAsBoolean());
    }

    /** Waits for its end; if it has ended too early, does its rounds in its place, with the pauses between them. */
    void awaitEnd(long now, long nanos) throws InterruptedException {
        if (!hasEnded()) {
            ended.await(nanos, TimeUnit.NANOSECONDS);
        } else if (!isDone()) {
            if (nextInItsPlace == null || now - nextInItsPlace >= 0) {
                nextInItsPlace = now + round.run();
            }
            pauseFor(Math.min(nanos, nextInItsPlace - now));
        }
    }

    private void run() {
        CountDownLatch mine = ended;
        try {
            while (!mayEnd.getAsBoolean()) {
                pauseFor(round.run());
            }
        } catch (InterruptedException e) {
            OutboxLog.threadInterrupted(name, e);
        } finally {
            mine.countDown();
        }
    }

    private void pauseFor(long nanos) throws InterruptedException {
        if (nanos > 0 && pause.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            pause.drainPermits();
        }
    }
}
