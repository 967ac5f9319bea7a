package io.outboxed.internal.relay.isolation;

import static io.outboxed.internal.relay.isolation.FiveHandlers.ALONE;
import static io.outboxed.internal.relay.isolation.FiveHandlers.ALONE_REPLACED;
import static io.outboxed.internal.relay.isolation.FiveHandlers.BESIDE;
import static io.outboxed.internal.relay.isolation.FiveHandlers.BESIDE_REPLACED;
import static io.outboxed.internal.relay.isolation.FiveHandlers.CALLS_HANG;
import static io.outboxed.internal.relay.isolation.FiveHandlers.FAILS;
import static io.outboxed.internal.relay.isolation.FiveHandlers.HANGS;
import static io.outboxed.internal.relay.isolation.FiveHandlers.NEWER;
import static io.outboxed.internal.relay.isolation.FiveHandlers.NEWEST;
import static io.outboxed.internal.relay.isolation.FiveHandlers.NEWEST_NODE;
import static io.outboxed.internal.relay.isolation.FiveHandlers.OLDEST_NODE;
import static io.outboxed.internal.relay.isolation.FiveHandlers.SHARDS_MOVE;
import static io.outboxed.internal.relay.isolation.FiveHandlers.SLOW;
import static io.outboxed.internal.relay.isolation.FiveHandlers.TRIES;
import static io.outboxed.internal.relay.isolation.FiveHandlers.WORKS;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** What the run of five handlers shows, and its bars. */
final class FiveHandlersFigures {
    /** A clean stop takes two seconds and a hand-over one, each with a heartbeat; the rest is for a busy machine. */
    private static final double LONGEST_MOVE = 5_000;
    /** After two seconds in which none of its calls begins, a handler is saturated; the rest is for a busy machine. */
    private static final double UNTIL_SATURATED = 3_000;
    /** Once a handler is saturated, what waits for it is looked at again after this delay at the latest. */
    private static final double LONGEST_DEFERRED = FiveHandlers.DEFER_DELAY.toMillis() + UNTIL_SATURATED;
    /** Every five seconds a relay reads which handlers there are. */
    private static final double REGISTRY_READ = 5_500;

    private final FiveHandlers run;
    private final IsolationDatabase database;
    private final Figures figures;
    private final Map<String, HandlerCalls> calls = new HashMap<>();
    private final List<PublishedEvent> beside;

    FiveHandlersFigures(FiveHandlers run, IsolationDatabase database) {
        this.run = run;
        this.database = database;
        figures = new Figures("five handlers of one type", database);
        List.of(FAILS, HANGS, NEWER, NEWEST, SLOW, WORKS).forEach(name -> calls.put(name, run.log.of(name)));
        beside = run.log.events(event ->
                List.of(SHARDS_MOVE, CALLS_HANG, BESIDE, BESIDE_REPLACED).contains(event.phase()));
    }

    Figures figures() {
        healthy();
        latencies();
        others();
        newer();
        figures.none("messages, deliveries and lanes left at the end", run.left());
        return figures;
    }

    private void healthy() {
        HandlerCalls works = calls.get(WORKS);
        List<PublishedEvent> all = run.log.events(event -> true);
        figures.show("events a second, over " + PacedLoad.AGGREGATES + " aggregates", run.rate());
        figures.show("events while the healthy handler was alone", all.size() - beside.size());
        figures.show("events while it was beside the others", beside.size());
        figures.none("events that it did not get", works.missed(all).size());
        figures.none("calls of it that were repeated", works.repeated());
    }

    private void latencies() {
        Latencies alone = latencies(ALONE, event -> true);
        double bar = Math.max(3 * alone.p99(), 250);
        figures.show("its latency alone: p50, p99, longest", alone);
        figures.p99AtMost("... beside the others", latencies(BESIDE, FiveHandlersFigures::hasNoTrouble), bar);
        figures.longestAtMost(
                "... beside the others, the longest",
                latencies(BESIDE, FiveHandlersFigures::hasNoTrouble),
                LONGEST_DEFERRED);
        figures.longestAtMost(
                "... beside the others, as calls begin to hang",
                latencies(CALLS_HANG, FiveHandlersFigures::hasNoTrouble),
                UNTIL_SATURATED);
        figures.p99AtMost(
                "... beside the others, in aggregates in which one fails", latencies(BESIDE, Troubles::fails), bar);
        figures.show("... beside the others, in aggregates in which a call hangs", latencies(BESIDE, Troubles::hangs));
        figures.longestAtMost(
                "... alone, while a node is replaced", latencies(ALONE_REPLACED, event -> true), LONGEST_MOVE);
        figures.longestAtMost(
                "... beside the others, while a node is replaced",
                latencies(BESIDE_REPLACED, FiveHandlersFigures::hasNoTrouble),
                LONGEST_MOVE);
        figures.longestAtMost(
                "... beside the others, while shards move to the node that has one more",
                latencies(SHARDS_MOVE, FiveHandlersFigures::hasNoTrouble),
                LONGEST_MOVE);
        figures.longestAtMost(
                "latency of the slow handler, beside the others",
                calls.get(SLOW).latencies(event -> event.phase().equals(BESIDE) && hasNoTrouble(event)),
                LONGEST_DEFERRED);
    }

    private void others() {
        figures.none("calls in the wrong order within an aggregate, all handlers", sum(HandlerCalls::reordered));
        figures.none("concurrent calls within an aggregate and handler, all handlers", sum(HandlerCalls::concurrent));
        figures.none("calls that repeated a success, all handlers", sum(HandlerCalls::repeatedSuccesses));
        figures.none(
                "events that the slow handler did not get",
                calls.get(SLOW).missed(beside).size());
        figures.none(
                "events that the hanging handler did not get",
                calls.get(HANGS).missed(beside).size());
        figures.exactly(
                "its calls that hung, and those of them that ignored an interrupt",
                run.troubles.hung() + ", " + run.troubles.ignoredInterrupts(),
                "15, 1");
        List<PublishedEvent> failing = beside.stream().filter(Troubles::fails).toList();
        Map<PublishedEvent, Long> tries = calls.get(FAILS).perEvent();
        figures.none(
                "failing events with more or fewer than " + TRIES + " attempts",
                failing.stream()
                        .filter(event -> tries.getOrDefault(event, 0L) != TRIES)
                        .count());
        figures.exactly("dead letters of the failing events", deadLetters("="), (long) failing.size());
        figures.none("other dead letters", deadLetters("<>"));
    }

    private long deadLetters(String comparison) {
        return database.number(
                "SELECT COUNT(*) AS n FROM outbox_dead WHERE handler " + comparison + " '" + FAILS + "'");
    }

    private void newer() {
        HandlerCalls newer = calls.get(NEWER);
        figures.none(
                "events that the handler missing on node A did not get",
                newer.missed(beside).size());
        figures.none(
                "its calls on node A",
                newer.stream().filter(call -> call.node().equals(OLDEST_NODE)).count());
        figures.show("its latency: p50, p99, longest", newer.latencies(FiveHandlersFigures::hasNoTrouble));
        HandlerCalls newest = calls.get(NEWEST);
        List<PublishedEvent> after = beside.stream()
                .filter(event -> event.due() > run.newestRegisteredAt())
                .toList();
        List<PublishedEvent> byNewest = after.stream()
                .filter(event -> event.publisher().equals(NEWEST_NODE))
                .toList();
        List<PublishedEvent> missed = newest.missed(after);
        figures.show("events published after the added handler was registered", after.size());
        figures.none(
                "... by its own version, and that it did not get",
                newest.missed(byNewest).size());
        figures.show("... by the older version, and that it did not get", missed.size());
        figures.durationsAtMost(
                "... the last of them, after the registration", List.of(lastAfterRegistration(missed)), REGISTRY_READ);
    }

    private double lastAfterRegistration(List<PublishedEvent> events) {
        return events.stream()
                        .mapToLong(event -> event.due() - run.newestRegisteredAt())
                        .max()
                        .orElse(0)
                / 1e6;
    }

    private Latencies latencies(String phase, Predicate<PublishedEvent> wanted) {
        return calls.get(WORKS).latencies(wanted.and(event -> event.phase().equals(phase)));
    }

    private long sum(ToLongFunction<HandlerCalls> figure) {
        return calls.values().stream().mapToLong(figure).sum();
    }

    private static boolean hasNoTrouble(PublishedEvent event) {
        return !Troubles.fails(event) && !Troubles.hangs(event);
    }
}
