package io.outboxed.ejb;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Gets a number of threads to work: those of an executor as they arrive, and after a while threads of a reserve in
 * place of those that did not. An executor may be late (Open Liberty begins no task before the application has started)
 * or broken (that of an application which was deployed into a running Payara 6 fails before it runs anything).
 */
final class ThreadSupply {
    private final int wanted;
    private final Runnable work;
    private final Deque<Thread> reserve;
    private int working;

    /** @param reserve threads that are not started yet, as many as are wanted */
    ThreadSupply(Runnable work, List<Thread> reserve) {
        this.wanted = reserve.size();
        this.work = work;
        this.reserve = new ArrayDeque<>(reserve);
    }

    void callFrom(Executor executor) {
        for (int i = 0; i < wanted; i++) {
            executor.execute(this::workIfWanted);
        }
    }

    /** @return how many threads of the reserve had to be started */
    synchronized int fillUp() {
        int missing = wanted - working;
        working = wanted;
        for (int i = 0; i < missing; i++) {
            reserve.pop().start();
        }
        return missing;
    }

    private void workIfWanted() {
        synchronized (this) {
            if (working == wanted) {
                return;
            }
            working++;
        }
        work.run();
    }
}
