package io.outboxed.it.executor;

import io.outboxed.Outboxed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Rings, and notes which thread hears it, in which request context. */
@ApplicationScoped
public class Bell {
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();
    private final Set<UUID> requests = ConcurrentHashMap.newKeySet();

    @Inject
    Request request;

    @Outboxed
    @Transactional
    public Rung ring(int times) {
        return new Rung(times);
    }

    void hear(@Observes Rung event) {
        requests.add(request.id());
        threads.add(Thread.currentThread().getName());
    }

    public Queue<String> threads() {
        return threads;
    }

    public Set<UUID> requests() {
        return requests;
    }
}
