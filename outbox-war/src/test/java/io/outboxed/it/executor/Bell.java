package io.outboxed.it.executor;

import io.outboxed.Outboxed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Rings, and notes which thread hears it. */
@ApplicationScoped
public class Bell {
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();

    @Outboxed
    @Transactional
    public Rung ring(int times) {
        return new Rung(times);
    }

    void hear(@Observes Rung event) {
        threads.add(Thread.currentThread().getName());
    }

    public Queue<String> threads() {
        return threads;
    }
}
