package io.outboxed.internal.relay.node;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** The end of a node: its threads drain, then it releases the shards in which nothing runs. */
final class Shutdown {
    private static final Duration LAST_ANSWER = Duration.ofMillis(300);
    private static final long ONE_THREAD_AT_A_TIME = Duration.ofMillis(10).toNanos();

    private final RelayLoop relay;
    private final Mailbox mailbox;
    private final Membership membership;
    private final LongSupplier nanoClock;
    private volatile boolean begun;
    private volatile boolean drainIsOver;

    Shutdown(RelayLoop relay, Mailbox mailbox, Membership membership, LongSupplier nanoClock) {
        this.relay = relay;
        this.mailbox = mailbox;
        this.membership = membership;
        this.nanoClock = nanoClock;
    }

    void begin() {
        begun = true;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Whether the threads end even if something still runs. */
    boolean drainIsOver() {
        return drainIsOver;
    }

    /**
     * Waits for running calls. The threads continue afterwards if any are still running. A server may end the threads
     * before the application: then nothing but this one takes note of calls that end. With a silent database, one of
     * their rounds lasts until its answer is given up; none begins after the time is up.
     */
    void drain(List<RelayThread> threads, Duration most) {
        long deadline = nanoClock.getAsLong() + most.toNanos();
        try {
            while (!threads.stream().allMatch(RelayThread::isDone)) {
                for (RelayThread thread : threads) {
                    long now = nanoClock.getAsLong();
                    if (deadline - now <= 0) {
                        return;
                    }
                    thread.awaitEnd(now, Math.min(deadline - now, ONE_THREAD_AT_A_TIME));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            OutboxLog.drainBroken(e);
        }
    }

    /**
     * Releases the idle shards. Those in which a handler still runs are left to expire: no other node may take them
     * before that handler's lease is over. The threads end only after the loop has said which these are: nothing else
     * knows.
     */
    void leave(RelayThread loop) {
        Remains remains = remains(loop);
        drainIsOver = true;
        try {
            if (membership.leave(remains.idle(), remains.busy() == 0)) {
                OutboxLog.stopped(membership.owner(), remains.idle().size(), remains.busy());
            } else {
                OutboxLog.leavingFailed(membership.owner(), new TimeoutException("its last heartbeat does not end"));
            }
        } catch (StoreException e) {
            OutboxLog.leavingFailed(membership.owner(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            OutboxLog.leavingFailed(membership.owner(), e);
        }
    }

    private Remains remains(RelayThread loop) {
        CompletableFuture<Remains> answer = new CompletableFuture<>();
        Runnable question = () -> {
            List<Lease> idle = List.copyOf(relay.idleLeases());
            answer.complete(new Remains(idle, relay.busyShards()));
        };
        if (loop.hasEnded()) {
            question.run();
        } else {
            mailbox.post(question);
        }
        try {
            return answer.get(LAST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Remains(List.of(), Integer.MAX_VALUE);
        } catch (ExecutionException | TimeoutException e) {
            if (loop.hasEnded()) {
                // between the two questions
                question.run();
                return answer.join();
            }
            OutboxLog.leavingFailed(membership.owner(), e);
            return new Remains(List.of(), Integer.MAX_VALUE);
        }
    }

    private record Remains(List<Lease> idle, int busy) {}
}
