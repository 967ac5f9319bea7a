package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Spans.Span;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why an event waited for its first call by a handler: the whole wait, broken down by what its aggregate did meanwhile.
 */
public final class WaitCause {
    private final Facts facts;
    private final List<Call> calls;
    private final Outages outages;
    private final Collection<Letter> letters;
    private final Spans available;

    /** @param letters of any time */
    public WaitCause(Facts facts, List<Call> calls, Outages outages, Collection<Letter> letters, List<String> nodes) {
        this.facts = facts;
        this.calls = calls;
        this.outages = outages;
        this.letters = letters;
        this.available = outages.available(nodes, 0, Long.MAX_VALUE);
    }

    /** Of all first calls of an event by a handler, the last one before the moment. */
    public Optional<Call> lastFirstCallBefore(long moment) {
        Set<String> called = new HashSet<>();
        return calls.stream()
                .filter(call -> call.start() < moment && facts.committed().containsKey(call.id()))
                .filter(call -> called.add(call.handler() + " " + call.id()))
                .reduce((one, next) -> next);
    }

    /** @param call the first one of its event by its handler */
    public String of(Call call) {
        return of(facts.committed().get(call.id()), call.handler(), call.start());
    }

    /** @param until the end of its wait if it was never called */
    public String of(Event event, String handler, long until) {
        List<Call> ofAggregate = calls.stream()
                .filter(call -> event.isReminder()
                        ? call.id().equals(event.id())
                        : call.account().equals(event.account()))
                .toList();
        Optional<Call> first = ofAggregate.stream()
                .filter(call -> call.handler().equals(handler) && call.id().equals(event.id()))
                .findFirst();
        Span wait = new Span(event.dueAt(), first.map(Call::start).orElse(until));
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s/%d for %s (%s, %s, %s), due at %d, first call %s",
                event.isReminder() ? "reminder" : event.account(),
                event.number(),
                handler,
                event.type(),
                event.fault(),
                event.id(),
                event.dueAt(),
                first.map(call -> Micros.seconds(wait.length()) + " later on " + call.node())
                        .orElse("never, " + Micros.seconds(wait.length()) + " until the end")));
        letters.stream()
                .filter(letter ->
                        letter.id().equals(event.id()) && letter.bean().equals(handler))
                .findFirst()
                .ifPresent(letter -> lines.add("it was a dead letter of this handler at some time: " + letter.error()));
        lines.add(before(event, handler, ofAggregate, wait));
        parts(handler, ofAggregate, wait, lines);
        lines.add("operator: " + operations(wait));
        return String.join("\n    ", lines);
    }

    /** What its handler had to do first. */
    private String before(Event event, String handler, List<Call> ofAggregate, Span wait) {
        Set<String> called = ofAggregate.stream()
                .filter(call -> call.handler().equals(handler) && call.start() < wait.from())
                .map(Call::id)
                .collect(Collectors.toSet());
        long waiting = facts.committed().values().stream()
                .filter(other -> !event.isReminder() && other.account().equals(event.account()))
                .filter(other -> other.number() < event.number() && !called.contains(other.id()))
                .filter(other -> other.handlers().contains(handler))
                .count();
        List<Call> meanwhile = ofAggregate.stream()
                .filter(call -> call.handler().equals(handler))
                .filter(call -> wait.from() <= call.start() && call.start() < wait.to())
                .toList();
        return waiting + " earlier events of its aggregate were not called yet; meanwhile its handler was called "
                + meanwhile.size() + " times, and "
                + meanwhile.stream().filter(call -> !call.succeeded()).count() + " did not succeed";
    }

    /** Each moment of the wait is in one part: the first that is true of it. */
    private void parts(String handler, List<Call> ofAggregate, Span wait, List<String> lines) {
        Spans rest = Spans.of(List.of(wait));
        rest = part("no node, or no database", rest, rest.without(available), lines);
        Spans running = Spans.of(ofAggregate.stream()
                .map(call -> new Span(call.start(), outages.endOf(call)))
                .toList());
        String longest = ofAggregate.stream()
                .filter(call -> overlap(call, wait) > 0)
                .max(Comparator.comparingLong(call -> overlap(call, wait)))
                .map(call -> ", the longest " + Micros.seconds(overlap(call, wait)) + ": " + call)
                .orElse("");
        rest = part("a call of its aggregate was running" + longest, rest, running, lines);
        rest = part("its handler waited for a backoff", rest, afterFailures(handler, ofAggregate, true), lines);
        rest = part(
                "its handler was not called again yet, after a failure",
                rest,
                afterFailures(handler, ofAggregate, false),
                lines);
        List<Long> starts = ofAggregate.stream().map(Call::start).toList();
        String gap = rest.cutAt(starts).stream()
                .max(Comparator.comparingLong(Span::length))
                .map(span ->
                        ", the longest " + Micros.seconds(span.length()) + " from " + span.from() + ": " + faults(span))
                .orElse("");
        part("none of these" + gap, rest, rest, lines);
    }

    private static Spans part(String text, Spans rest, Spans part, List<String> lines) {
        long length = rest.and(part).length();
        if (length > 0) {
            lines.add(Micros.seconds(length) + ": " + text);
        }
        return rest.without(part);
    }

    private long overlap(Call call, Span wait) {
        return Math.min(outages.endOf(call), wait.to()) - Math.max(call.start(), wait.from());
    }

    /** From each failed or lost call of the handler to its next one, or only the backoff. */
    private Spans afterFailures(String handler, List<Call> ofAggregate, boolean isBackoff) {
        List<Span> spans = new ArrayList<>();
        Call last = null;
        for (Call call : ofAggregate) {
            if (!call.handler().equals(handler)) {
                continue;
            }
            after(last, call.start(), isBackoff).forEach(spans::add);
            last = call;
        }
        after(last, Call.NEVER, isBackoff).forEach(spans::add);
        return Spans.of(spans);
    }

    private Stream<Span> after(Call last, long next, boolean isBackoff) {
        if (last == null || last.succeeded()) {
            return Stream.empty();
        }
        long end = outages.endOf(last);
        long most = isBackoff && last.failed() ? end + TimeCheck.backoffMicros(last) : isBackoff ? end : next;
        return Stream.of(new Span(end, Math.min(next, most)));
    }

    private String faults(Span span) {
        return counted(outages.all().stream()
                .filter(outage -> !outage.why.equals(Outages.GONE) && outage.overlaps(span.from(), span.to()))
                .map(outage -> outage.what + " " + outage.why));
    }

    private String operations(Span span) {
        return counted(facts.operations().stream()
                .filter(each -> each.startedAt() < span.to() && span.from() < each.endedAt())
                .map(each -> "bulk " + each.kind()));
    }

    private static String counted(Stream<String> names) {
        Map<String, Long> counts =
                names.collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return counts.isEmpty()
                ? "nothing"
                : counts.entrySet().stream()
                        .map(each -> each.getKey() + (each.getValue() > 1 ? " x" + each.getValue() : ""))
                        .collect(Collectors.joining(", "));
    }
}
