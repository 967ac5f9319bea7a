package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** All events that were published and all calls of handlers on all nodes. */
final class CallLog {
    private final Map<UUID, PublishedEvent> events = new ConcurrentHashMap<>();
    private final Queue<HandlerCall> calls = new ConcurrentLinkedQueue<>();

    /** Before its row can be seen. */
    void publishing(PublishedEvent event) {
        events.put(event.id(), event);
    }

    Outcome call(String node, Delivery delivery, Work work) {
        PublishedEvent event = events.get(delivery.head().id());
        long began = System.nanoTime();
        Outcome outcome = outcome(work, event);
        calls.add(new HandlerCall(
                delivery.handler(),
                node,
                event,
                delivery.attempt(),
                began,
                System.nanoTime(),
                outcome instanceof Outcome.Done));
        return outcome;
    }

    private static Outcome outcome(Work work, PublishedEvent event) {
        try {
            work.handle(event);
            return new Outcome.Done(false);
        } catch (Exception e) {
            return new Outcome.Failed(e);
        }
    }

    HandlerCalls of(String handler) {
        return new HandlerCalls(
                calls.stream().filter(call -> call.handler().equals(handler)).toList());
    }

    List<PublishedEvent> events(Predicate<PublishedEvent> wanted) {
        return events.values().stream().filter(wanted).toList();
    }
}
