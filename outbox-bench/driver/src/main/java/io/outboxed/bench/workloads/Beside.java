package io.outboxed.bench.workloads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/** What operators and maintenance do while a backlog is drained. Ends with its work, or when it is closed. */
final class Beside implements AutoCloseable {
    private final AtomicInteger done = new AtomicInteger();
    private CompletableFuture<Void> running;
    private volatile boolean closed;

    interface Work {
        void run(Beside beside) throws Exception;
    }

    private Beside() {}

    static Beside start(Work work) {
        Beside beside = new Beside();
        beside.running = CompletableFuture.runAsync(() -> {
            try {
                work.run(beside);
            } catch (InterruptedException enough) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                throw new IllegalStateException("what was to run beside a drain failed", e);
            }
        });
        return beside;
    }

    boolean isClosed() {
        return closed;
    }

    /** A piece of the work is done. */
    void did() {
        done.incrementAndGet();
    }

    /** @throws IllegalStateException if no piece of the work was done: then nothing was measured */
    void mustHaveWorked() {
        if (done.get() == 0) {
            throw new IllegalStateException("nothing was done beside the drain");
        }
    }

    /** @throws IllegalStateException if the work has ended: then only a part of the drain was beside it */
    void mustStillRun() {
        mustHaveWorked();
        if (running.isDone()) {
            running.join();
            throw new IllegalStateException("the work beside the drain ended first; bench.history has to be larger");
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            running.join();
        } catch (CompletionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
