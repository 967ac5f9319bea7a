package io.outboxed.internal.testkit;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.testkit.HandlerCall;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/** Records each call of a handler, and disturbs those for which a test has planned it. */
@ApplicationScoped
public class ObservedCalls {
    private final List<CallOrder.Observed> calls = new ArrayList<>();
    /** The events of calls that are not recorded yet, each as often as it has such calls. */
    private final List<UUID> running = new ArrayList<>();

    private final Map<String, Deque<Fault>> planned = new HashMap<>();
    private CrashPoint crashes;
    private int number;
    private int disturbed;
    private Fault fault;

    /** Ends the process, as far as the relay can tell. */
    public interface CrashPoint {
        /** Calls the handler; its success is not recorded, and its transaction is not committed. */
        Outcome crashAfter(Delivery delivery, Supplier<Outcome> handler);

        /** Whether it came to that: not if the handler failed by itself. */
        boolean hasCrashed();
    }

    public synchronized void crashWith(CrashPoint newCrashes) {
        crashes = newCrashes;
    }

    synchronized void plan(String handler, Fault next) {
        planned.computeIfAbsent(handler, key -> new ArrayDeque<>()).add(next);
    }

    /** @param call the number of the call to disturb, from 1; counted from now on */
    public synchronized void planAt(int call, Fault newFault) {
        number = 0;
        disturbed = call;
        fault = newFault;
    }

    synchronized boolean isAnyRunning() {
        return !running.isEmpty();
    }

    synchronized boolean isRunning(UUID event) {
        return running.contains(event);
    }

    public synchronized List<HandlerCall> all() {
        return calls.stream().map(CallOrder.Observed::call).toList();
    }

    synchronized void verifyOrder() {
        CallOrder.verify(calls);
    }

    public synchronized void forget() {
        calls.clear();
        planned.clear();
        disturbed = 0;
    }

    Outcome deliver(Delivery delivery, String group, Supplier<Outcome> handler) {
        return observed(List.of(delivery), () -> disturbed(delivery, group, handler));
    }

    private Outcome observed(List<Delivery> deliveries, Supplier<Outcome> call) {
        List<UUID> events =
                deliveries.stream().map(delivery -> delivery.head().id()).toList();
        begun(events);
        try {
            return call.get();
        } finally {
            ended(events);
        }
    }

    private synchronized void begun(List<UUID> events) {
        running.addAll(events);
    }

    private synchronized void ended(List<UUID> events) {
        events.forEach(running::remove);
    }

    private Outcome disturbed(Delivery delivery, String group, Supplier<Outcome> handler) {
        Fault now = next(delivery.handler());
        if (now == null) {
            return recorded(delivery, group, handler.get());
        }
        return switch (now) {
            case FAILURE -> recorded(delivery, group, new Outcome.Failed(new RequestedFailure(delivery.handler())));
            case CRASH -> recorded(delivery, group, crash(delivery, handler));
            case TWICE -> {
                Outcome first = recorded(delivery, group, handler.get());
                Outcome second = recorded(delivery, group, handler.get());
                // an outside handler that fails when it is called again would do so after each takeover
                yield first instanceof Outcome.Done && second instanceof Outcome.Failed ? second : first;
            }
        };
    }

    private Outcome crash(Delivery delivery, Supplier<Outcome> handler) {
        Outcome outcome = crashes.crashAfter(delivery, handler);
        if (!crashes.hasCrashed()) {
            crashLater(delivery.handler());
        }
        return outcome;
    }

    /** A crash that was planned for a number is for that call only. */
    private synchronized void crashLater(String handler) {
        if (number != disturbed) {
            planned.get(handler).addFirst(Fault.CRASH);
        }
    }

    Outcome deliverTogether(List<Delivery> deliveries, String group, Supplier<Outcome> handler) {
        return observed(deliveries, () -> together(deliveries, group, handler));
    }

    /** What is planned happens to a single event, so a batch that it would hit is not called. */
    private Outcome together(List<Delivery> deliveries, String group, Supplier<Outcome> handler) {
        String name = deliveries.get(0).handler();
        if (isDisturbed(name, deliveries.size())) {
            return new Outcome.Failed(new RequestedFailure(name));
        }
        Outcome outcome = handler.get();
        if (outcome instanceof Outcome.Done) {
            count(deliveries.size());
            deliveries.forEach(delivery -> recorded(delivery, group, outcome));
        }
        return outcome;
    }

    private synchronized void count(int calls) {
        number += calls;
    }

    private synchronized boolean isDisturbed(String handler, int events) {
        Deque<Fault> ofHandler = planned.get(handler);
        return disturbed > number && disturbed <= number + events || ofHandler != null && !ofHandler.isEmpty();
    }

    private synchronized Fault next(String handler) {
        number++;
        if (number == disturbed) {
            return fault;
        }
        Deque<Fault> ofHandler = planned.get(handler);
        return ofHandler == null ? null : ofHandler.poll();
    }

    /** Without a claim on the row, the handler was not called. */
    private synchronized Outcome recorded(Delivery delivery, String group, Outcome outcome) {
        if (outcome instanceof Outcome.Done) {
            add(delivery, group, null);
        } else if (outcome instanceof Outcome.Failed failed) {
            add(delivery, group, failed.failure());
        } else if (outcome instanceof Outcome.Unknown unknown) {
            add(delivery, group, unknown.failure());
        }
        return outcome;
    }

    private void add(Delivery delivery, String group, Throwable failure) {
        String aggregateId = delivery.body().aggregateId();
        HandlerCall call = new HandlerCall(
                delivery.head().id(),
                delivery.head().type(),
                aggregateId == null ? "" : aggregateId,
                delivery.handler(),
                delivery.attempt(),
                failure);
        calls.add(CallOrder.Observed.of(delivery, group, call));
    }
}
