package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Spans.Span;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The longest time in which no call began although the database and a node were up and work was waiting: a handler that
 * has not got an event which is due, and that has no call in progress for its account.
 */
public final class PauseCheck {
    public record Wait(Event event, String handler, long micros) {}

    /** What waits: each handler of an event for itself. */
    private record Delivery(Event event, String handler) {}

    public record Standstill(String account, Span span) {}

    private final Facts facts;
    private final List<Call> calls;
    private final Outages outages;
    private final List<Long> starts;
    private final Map<Delivery, Spans> waits;
    private final Spans waiting;

    public PauseCheck(Facts facts, List<Call> calls, Outages outages) {
        this.facts = facts;
        this.calls = calls;
        this.outages = outages;
        this.starts = calls.stream().map(Call::start).toList();
        this.waits = waits();
        this.waiting = Spans.of(
                waits.values().stream().flatMap(wait -> wait.spans().stream()).toList());
    }

    /**
     * The longest ones first, per node that was up and could get connections. One ends, and another one begins, when a
     * different node is lost: from then on the node has to wait for that one's lease.
     */
    public List<Span> pauses(Outages outages, List<String> nodes, long from, long to) {
        return nodes.stream()
                .flatMap(node ->
                        outages.ableToCall(node, from, to).and(waiting).cutAt(startsAndLosses(node, nodes)).stream())
                .sorted(Comparator.comparingLong(Span::length).reversed())
                .distinct()
                .toList();
    }

    private List<Long> startsAndLosses(String node, List<String> nodes) {
        Stream<Long> losses =
                nodes.stream().filter(other -> !other.equals(node)).flatMap(other -> outages.losses(other).stream());
        return Stream.concat(starts.stream(), losses).sorted().toList();
    }

    /** Includes times in which nodes took turns being up, so that possibly none was up for a lease. */
    public Span longestOver(Spans available) {
        return available.and(waiting).cutAt(starts).stream()
                .max(Comparator.comparingLong(Span::length))
                .orElse(new Span(0, 0));
    }

    /**
     * The longest time in which an account had such an event, none of its calls was running and none began, while one
     * node was up throughout. Reminders belong to no account.
     */
    public Standstill longestStandstill(Outages outages, List<String> nodes, long from, long to) {
        return longestStandstill(
                nodes.stream().map(node -> outages.available(node, from, to)).toList(), waits);
    }

    /**
     * The longest one while nothing had a fault, so that it ends with a takeover at the latest. It is not promised when
     * events behind poison are called while their handler counts as down.
     *
     * @param letters of any time: they may wait for their replay without any call before
     */
    public Standstill longestStandstillWithoutFault(Collection<Letter> letters, long from, long to) {
        Set<String> died = letters.stream()
                .map(letter -> letter.bean() + " " + letter.id())
                .collect(Collectors.toSet());
        Map<String, Spans> behindPoison = behindPoison();
        Map<Delivery, Spans> promised = new HashMap<>();
        waits.forEach((delivery, wait) -> {
            if (!died.contains(delivery.handler() + " " + delivery.event().id())) {
                String group = delivery.handler() + " " + delivery.event().account();
                promised.put(delivery, wait.without(behindPoison.getOrDefault(group, Spans.none())));
            }
        });
        return longestStandstill(List.of(outages.calm(from, to)), promised);
    }

    private Standstill longestStandstill(List<Spans> available, Map<Delivery, Spans> waits) {
        Map<String, List<Span>> waiting = new HashMap<>();
        waits.forEach((delivery, wait) -> {
            if (!delivery.event().isReminder()) {
                waiting.computeIfAbsent(delivery.event().account(), none -> new ArrayList<>())
                        .addAll(wait.spans());
            }
        });
        Map<String, List<Long>> begun = new HashMap<>();
        calls.forEach(call ->
                begun.computeIfAbsent(call.account(), none -> new ArrayList<>()).add(call.start()));
        Map<String, Spans> running = running();
        return waiting.entrySet().stream()
                .flatMap(account -> available.stream()
                        .flatMap(up -> Spans.of(account.getValue())
                                .and(up)
                                .without(running.getOrDefault(account.getKey(), Spans.none()))
                                .cutAt(begun.getOrDefault(account.getKey(), List.of()))
                                .stream())
                        .map(span -> new Standstill(account.getKey(), span)))
                .max(Comparator.comparingLong(standstill -> standstill.span().length()))
                .orElse(new Standstill("none", new Span(0, 0)));
    }

    /** The longest wait of one event for its first call, counting only the time in which a node could have made it. */
    public Wait longestWait(Spans available) {
        return waits.entrySet().stream()
                .map(wait -> new Wait(
                        wait.getKey().event(),
                        wait.getKey().handler(),
                        wait.getValue().and(available).length()))
                .max(Comparator.comparingLong(Wait::micros))
                .orElseThrow();
    }

    private Map<Delivery, Spans> waits() {
        Map<String, Long> first = new HashMap<>();
        calls.forEach(call -> first.putIfAbsent(call.handler() + " " + call.id(), call.start()));
        Map<String, Spans> busy = busy();
        Map<Delivery, Spans> all = new HashMap<>();
        Set<String> onlyForNextVersion = facts.committed().values().stream()
                .filter(Event::isOnlyForNextVersion)
                .map(Event::account)
                .collect(Collectors.toSet());
        for (Event event : facts.committed().values()) {
            if (onlyForNextVersion.contains(event.account())) {
                continue; // it may have to wait until a node of that version is up
            }
            for (String handler : event.handlers()) {
                if (handler.equals(Facts.AUDITOR)) {
                    continue; // the next version's too
                }
                long end = first.getOrDefault(handler + " " + event.id(), Long.MAX_VALUE);
                Spans wait = Spans.of(List.of(new Span(event.dueAt(), end)));
                all.put(
                        new Delivery(event, handler),
                        wait.without(busy.getOrDefault(handler + " " + event.account(), Spans.none())));
            }
        }
        return all;
    }

    /** By account: the calls of all handlers, since they may be called one after the other. */
    private Map<String, Spans> running() {
        Map<String, List<Span>> spans = new HashMap<>();
        calls.forEach(call -> spans.computeIfAbsent(call.account(), none -> new ArrayList<>())
                .add(new Span(call.start(), outages.endOf(call))));
        return merged(spans);
    }

    /** By handler and account: from a failed call of poison to the next call. */
    private Map<String, Spans> behindPoison() {
        Map<String, List<Span>> spans = new HashMap<>();
        Map<String, Call> poison = new HashMap<>();
        for (Call call : calls) {
            String key = call.handler() + " " + call.account();
            Call before = poison.remove(key);
            if (before != null) {
                spans.computeIfAbsent(key, none -> new ArrayList<>()).add(new Span(before.start(), call.start()));
            }
            Event event = facts.committed().get(call.id());
            if (event != null && event.isPoison() && !event.isCondemned() && !call.succeeded()) {
                poison.put(key, call);
            }
        }
        poison.forEach((key, call) ->
                spans.computeIfAbsent(key, none -> new ArrayList<>()).add(new Span(call.start(), Long.MAX_VALUE)));
        return merged(spans);
    }

    /** By handler and account: its calls, and the time between a failed one and the next. */
    private Map<String, Spans> busy() {
        Map<String, List<Span>> spans = new HashMap<>();
        Map<String, Call> failed = new HashMap<>();
        for (Call call : calls) {
            String key = call.handler() + " " + call.account();
            List<Span> busy = spans.computeIfAbsent(key, none -> new ArrayList<>());
            busy.add(new Span(call.start(), outages.endOf(call)));
            Call before = failed.remove(key);
            if (before != null && before.id().equals(call.id())) {
                busy.add(
                        new Span(before.end(), Math.min(call.start(), before.end() + TimeCheck.backoffMicros(before))));
            }
            if (call.failed()) {
                failed.put(key, call);
            }
        }
        return merged(spans);
    }

    private static Map<String, Spans> merged(Map<String, List<Span>> spans) {
        Map<String, Spans> merged = new HashMap<>();
        spans.forEach((key, all) -> merged.put(key, Spans.of(all)));
        return merged;
    }
}
