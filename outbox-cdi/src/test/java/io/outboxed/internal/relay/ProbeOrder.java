package io.outboxed.internal.relay;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** While a handler is down, aggregates take turns: none is probed over and over while another one asks in vain. */
final class ProbeOrder {
    /** In each of two rounds its turn and one more: the other one may have had its own turn when the first round began. */
    private static final int MOST = 4;

    private final History history;
    private final Agenda agenda;
    private final Function<UUID, String> aggregates;
    /** Each node has rounds of its own. */
    private final boolean hasOneNode;
    /** How often each other aggregate was called since this one was refused, by handler and by this one. */
    private final Map<String, Map<String, Map<String, Integer>>> calls = new HashMap<>();

    /** @param aggregates by their messages */
    ProbeOrder(History history, SimulatedPlan plan, Agenda agenda, Function<UUID, String> aggregates) {
        this.history = history;
        this.agenda = agenda;
        this.aggregates = aggregates;
        this.hasOneNode = plan.hasOneNode();
    }

    /** It was not called, and asks again at this time. */
    void refused(UUID message, String handler, long dueAt) {
        // what waits behind an earlier message of its aggregate is due at once
        if (dueAt * 1000 > agenda.now()) {
            waiting(handler).computeIfAbsent(aggregates.apply(message), key -> new HashMap<>());
        }
    }

    void begins(UUID message, String handler) {
        String aggregate = aggregates.apply(message);
        waiting(handler).remove(aggregate);
        waiting(handler).forEach((other, since) -> {
            int times = since.merge(aggregate, 1, Integer::sum);
            if (hasOneNode && times > MOST && isLeft(other, handler)) {
                history.violation("probed over and over: " + handler + " of " + aggregate + " was called " + times
                        + " times since it was refused to " + other);
            }
        });
    }

    /** It is not down. */
    void succeeded(String handler) {
        calls.remove(handler);
    }

    private Map<String, Map<String, Integer>> waiting(String handler) {
        return calls.computeIfAbsent(handler, key -> new HashMap<>());
    }

    private boolean isLeft(String aggregate, String handler) {
        return history.next().stream()
                .anyMatch(delivery -> delivery.aggregate.equals(aggregate) && delivery.handler.equals(handler));
    }
}
