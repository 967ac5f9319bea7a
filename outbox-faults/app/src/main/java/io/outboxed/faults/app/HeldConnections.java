package io.outboxed.faults.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Takes all connections of the pool, and gives them back after a while. */
@ApplicationScoped
public class HeldConnections {
    /** The size of the pool that outbox-datasource defines. */
    private static final int ALL = 100;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Resource(lookup = Executors.WRITERS)
    ManagedExecutorService executor;

    /** @return how many connections were held */
    int hold(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Queue<Connection> held = new ConcurrentLinkedQueue<>();
        AtomicInteger taken = new AtomicInteger();
        // the pool may keep the last request waiting for a minute: the others are given back without it
        executor.execute(() -> take(held, taken, end));
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        giveBack(held);
        return taken.get();
    }

    private void take(Queue<Connection> held, AtomicInteger taken, long end) {
        try {
            while (taken.get() < ALL && System.nanoTime() < end) {
                held.add(dataSource.getConnection());
                taken.incrementAndGet();
            }
        } catch (SQLException exhausted) {
            // others have the rest
        }
        if (System.nanoTime() >= end) {
            giveBack(held);
        }
    }

    private static void giveBack(Queue<Connection> held) {
        for (Connection each = held.poll(); each != null; each = held.poll()) {
            try {
                each.close();
            } catch (SQLException | RuntimeException broken) {
                // a fault has hit it meanwhile
            }
        }
    }
}
