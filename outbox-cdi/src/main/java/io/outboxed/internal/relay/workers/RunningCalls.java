package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The calls that are running. A call that exceeds its time is interrupted and reported as late; its lane stays taken
 * until the call really ends.
 */
public final class RunningCalls {
    private final Map<Thread, Started> running = new ConcurrentHashMap<>();
    private final Consumer<List<Call>> late;
    private final LongSupplier nanoClock;
    private final long timeout;

    private volatile boolean over;

    /**
     * @param late called for calls that exceed their time, while they run: the one that a worker has taken, and those that
     *     run beside it. Once, or again if it threw
     * @param timeout zero: no call is ever late
     */
    public RunningCalls(Consumer<List<Call>> late, LongSupplier nanoClock, Duration timeout) {
        this.late = late;
        this.nanoClock = nanoClock;
        this.timeout = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
    }

    /** @param together the call that a worker has taken, and those that it runs beside it */
    void begin(List<Call> together) {
        running.put(Thread.currentThread(), new Started(together, nanoClock.getAsLong()));
        // after it is seen: a call that begins meanwhile is interrupted here or there
        if (over) {
            Thread.currentThread().interrupt();
        }
    }

    void end() {
        Started ended = running.remove(Thread.currentThread());
        synchronized (ended) {
            ended.over = true;
        }
        // an interrupt that came too late must not hit the next call
        Thread.interrupted();
    }

    public int count() {
        return running.size();
    }

    /**
     * Interrupts calls that exceed their timeout.
     *
     * @return how many calls are stuck despite that
     */
    public int interruptLate() {
        int stuck = 0;
        long now = nanoClock.getAsLong();
        for (Map.Entry<Thread, Started> each : running.entrySet()) {
            Started started = each.getValue();
            if (now - started.at > timeout) {
                stuck++;
                synchronized (started) {
                    if (!started.over && !started.interrupted) {
                        // may throw for lack of memory, and is repeated then; so may the log, which comes last
                        late.accept(started.together);
                        started.interrupted = true;
                        each.getKey().interrupt();
                        Call first = started.together.get(0);
                        OutboxLog.handlerInterrupted(
                                first.handler(),
                                first.delivery().head(),
                                first.delivery().body(),
                                Duration.ofNanos(now - started.at));
                    }
                }
            }
        }
        return stuck;
    }

    /** At the end of the relay. What the calls do after that is not recorded. */
    public void interruptAll() {
        over = true;
        running.forEach((thread, started) -> {
            synchronized (started) {
                if (!started.over) {
                    thread.interrupt();
                }
            }
        });
    }

    private static final class Started {
        private final List<Call> together;
        private final long at;
        private boolean interrupted;
        private boolean over;

        private Started(List<Call> together, long at) {
            this.together = together;
            this.at = at;
        }
    }
}
