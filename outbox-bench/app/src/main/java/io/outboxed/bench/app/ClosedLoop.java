package io.outboxed.bench.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** A number of threads that repeat a transaction as fast as they can. */
@ApplicationScoped
public class ClosedLoop {

    @Resource(lookup = Executors.LOAD)
    ManagedExecutorService executor;

    interface Transaction {
        void run(long number) throws Exception;
    }

    /** @return the number of transactions and the nanoseconds that they took, summed over the threads */
    String run(int threads, Duration length, Transaction transaction) {
        AtomicLong numbers = new AtomicLong(1);
        long begin = System.nanoTime();
        long end = begin + length.toNanos();
        List<Future<Long>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(executor.submit(() -> loop(end, numbers, transaction)));
        }
        long done = 0;
        for (Future<Long> each : running) {
            done += result(each);
        }
        return "transactions=" + done + "\nnanos=" + (System.nanoTime() - begin) + "\n";
    }

    private static long loop(long end, AtomicLong numbers, Transaction transaction) throws Exception {
        long done = 0;
        while (System.nanoTime() < end) {
            transaction.run(numbers.getAndIncrement());
            done++;
        }
        return done;
    }

    private static long result(Future<Long> running) {
        try {
            return running.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the load was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a transaction of the load failed", e.getCause());
        }
    }
}
