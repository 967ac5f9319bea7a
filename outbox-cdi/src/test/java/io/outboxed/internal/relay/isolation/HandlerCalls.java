package io.outboxed.internal.relay.isolation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the calls of one handler show, in the order in which they began. */
final class HandlerCalls {
    private final List<HandlerCall> calls;

    HandlerCalls(Collection<HandlerCall> calls) {
        this.calls = calls.stream()
                .sorted(Comparator.comparingLong(HandlerCall::began))
                .toList();
    }

    Stream<HandlerCall> stream() {
        return calls.stream();
    }

    /** Those beyond the first one of each event. */
    long repeated() {
        return calls.size() - perEvent().size();
    }

    /** Those after a success of the same event. */
    long repeatedSuccesses() {
        Set<UUID> done = new HashSet<>();
        long repeated = 0;
        for (HandlerCall call : calls) {
            repeated += done.contains(call.event().id()) ? 1 : 0;
            if (call.succeeded()) {
                done.add(call.event().id());
            }
        }
        return repeated;
    }

    /** Those of an event after a later one of its aggregate. */
    long reordered() {
        Map<Integer, Integer> latest = new HashMap<>();
        return calls.stream()
                .filter(call ->
                        latest.merge(call.event().aggregate(), call.event().number(), Math::max)
                                > call.event().number())
                .count();
    }

    /** Those that began before an earlier one of their aggregate had ended. */
    long concurrent() {
        Map<Integer, Long> busyUntil = new HashMap<>();
        long concurrent = 0;
        for (HandlerCall call : calls) {
            Long before = busyUntil.get(call.event().aggregate());
            concurrent += before != null && before > call.began() ? 1 : 0;
            busyUntil.merge(call.event().aggregate(), call.ended(), Math::max);
        }
        return concurrent;
    }

    /** Those of these events that no call has handled. */
    List<PublishedEvent> missed(Collection<PublishedEvent> events) {
        Set<UUID> done = calls.stream()
                .filter(HandlerCall::succeeded)
                .map(call -> call.event().id())
                .collect(Collectors.toSet());
        return events.stream().filter(event -> !done.contains(event.id())).toList();
    }

    Map<PublishedEvent, Long> perEvent() {
        return calls.stream().collect(Collectors.groupingBy(HandlerCall::event, Collectors.counting()));
    }

    /** From the time at which an event was to be published to its first call. */
    Latencies latencies(Predicate<PublishedEvent> wanted) {
        Set<UUID> seen = new HashSet<>();
        List<Long> nanos = new ArrayList<>();
        for (HandlerCall call : calls) {
            if (wanted.test(call.event()) && seen.add(call.event().id())) {
                nanos.add(call.began() - call.event().due());
            }
        }
        return Latencies.of(nanos);
    }
}
