package io.outboxed.internal.testkit;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.testkit.HandlerCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that each handler group was called with the events of an aggregate in the order of their numbers. */
final class CallOrder {
    private final Map<Sequence, Observed> latest = new HashMap<>();
    private final Set<Once> successes = new HashSet<>();
    private final List<Observed> before = new ArrayList<>();

    /** @param seq the number of the row: the replay of a skipped dead letter has a new one */
    record Observed(HandlerCall call, Sequence sequence, long seq) {

        static Observed of(Delivery delivery, String group, HandlerCall call) {
            return new Observed(
                    call,
                    new Sequence(group, delivery.head().lane()),
                    delivery.head().seq());
        }

        private Once once() {
            return new Once(call.handler(), seq);
        }
    }

    /** An event that has no order, such as a delayed one, has a lane of its own. */
    record Sequence(String group, long lane) {}

    private record Once(String handler, long seq) {}

    private CallOrder() {}

    /** @throws AssertionError naming the first call that is out of order */
    static void verify(List<Observed> calls) {
        CallOrder order = new CallOrder();
        calls.forEach(order::next);
    }

    private void next(Observed called) {
        Observed last = latest.get(called.sequence());
        if (last == null || last.seq() <= called.seq()) {
            latest.put(called.sequence(), called);
        } else if (!successes.contains(called.once())) {
            throw new AssertionError(message(called, last));
        }
        // what succeeded in its turn may be repeated after a crash, as far as its success was not recorded
        if (called.call().succeeded()) {
            successes.add(called.once());
        }
        before.add(called);
    }

    private String message(Observed called, Observed last) {
        HandlerCall late = called.call();
        HandlerCall early = last.call();
        return late.handler() + " was called with " + event(late) + " after " + early.handler()
                + " had been called with " + event(early) + ", a later event of the same aggregate "
                + late.aggregateId()
                + " (handler group " + called.sequence().group() + "). If their transactions ran at the same time, let"
                + " them wait for each other: with a version, a lock, or @Outboxed(serialize = true)."
                + " Calls of the group with this aggregate:\n"
                + before.stream()
                        .filter(each -> each.sequence().equals(called.sequence()))
                        .map(each -> line(each.call()))
                        .collect(Collectors.joining())
                + line(late);
    }

    private static String event(HandlerCall call) {
        return call.type() + " " + call.messageId();
    }

    private static String line(HandlerCall call) {
        return "  " + call.handler() + " with " + event(call) + ", attempt " + call.attempt()
                + (call.succeeded() ? "" : ", failed") + "\n";
    }
}
