package io.outboxed.shop;

import io.outboxed.AggregateId;
import io.outboxed.DeadLetter;
import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.Outboxed;
import io.outboxed.shop.fulfilment.Mail;
import io.outboxed.shop.orders.OrderPlaced;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.faulttolerance.Retry;

/** Handlers that write a row and fail afterwards: the rows that remain show which transaction each was in. */
@ApplicationScoped
public class Tries {

    /** The first two tries of both handlers fail. */
    @EventType("tries.wanted")
    public record Wanted(@AggregateId long number) {}

    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final List<DeadLetter> deadLetters = new CopyOnWriteArrayList<>();

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    @Outboxed
    @Transactional
    public Wanted want(long number) {
        return new Wanted(number);
    }

    @Retry(maxRetries = 2, delay = 10)
    void quickly(@Observes Wanted wanted, OutboxMessage message) {
        write("quickly", wanted, message);
    }

    void patiently(@Observes Wanted wanted, OutboxMessage message) {
        write("patiently", wanted, message);
    }

    private void write(String handler, Wanted wanted, OutboxMessage message) {
        int call = calls.merge(handler + wanted.number(), 1, Integer::sum);
        em.persist(new Mail(wanted.number(), message.id(), handler + " at call " + call, message.attempt()));
        em.flush();
        if (call < 3) {
            throw new IllegalStateException(handler + " fails at call " + call);
        }
    }

    /** Unlike the shop's own handler, it would notice a second call. */
    void placed(@Observes OrderPlaced order) {
        calls.merge("placed" + order.orderId(), 1, Integer::sum);
    }

    void died(@Observes DeadLetter dead) {
        deadLetters.add(dead);
    }

    public int calls(String handler, long number) {
        return calls.getOrDefault(handler + number, 0);
    }

    public List<DeadLetter> deadLetters() {
        return List.copyOf(deadLetters);
    }
}
