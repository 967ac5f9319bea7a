package io.outboxed.internal.relay.isolation;

import static io.outboxed.internal.relay.isolation.DeadDownstream.AFTER;
import static io.outboxed.internal.relay.isolation.DeadDownstream.BEFORE;
import static io.outboxed.internal.relay.isolation.DeadDownstream.MAILS;
import static io.outboxed.internal.relay.isolation.DeadDownstream.OUTAGE;
import static io.outboxed.internal.relay.isolation.DeadDownstream.WORKS;

import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** What the run with a dead downstream shows, and its bars. */
final class DeadDownstreamFigures {
    /** On each node: as docs/guarantees.md says. */
    private static final long MOST_ATTEMPTS = 10;

    /** In milliseconds: "within seconds". */
    private static final double PROMPT = 5_000;

    private final DeadDownstream run;
    private final IsolationDatabase database;
    private final Figures figures;
    private final HandlerCalls mails;
    private final HandlerCalls works;
    private final List<PublishedEvent> all;
    private final List<PublishedEvent> backlog;

    DeadDownstreamFigures(DeadDownstream run, IsolationDatabase database) {
        this.run = run;
        this.database = database;
        figures = new Figures("a downstream that is dead for minutes", database);
        mails = run.log.of(MAILS);
        works = run.log.of(WORKS);
        all = run.log.events(event -> true);
        backlog = run.log.events(event -> event.phase().equals(OUTAGE));
    }

    Figures figures() {
        attempts();
        probes();
        recovery();
        healthy();
        figures.none("messages, deliveries and lanes left at the end", run.left());
        return figures;
    }

    private void attempts() {
        figures.show("events a second, over " + PacedLoad.AGGREGATES + " aggregates", run.rate());
        figures.show("length of the outage", run.seconds() + " s");
        figures.show("events published during it", backlog.size());
        List<Long> before = ofEachNode(node -> run.reports.get(node).countedBefore());
        List<Long> after = ofEachNode(node -> run.reports.get(node).countedAfter());
        figures.durationsAtMost("until the handler counted as down, on each node", ofEachNode(this::untilDown), PROMPT);
        figures.atMost("attempts used up before the handler counted as down, on each node", before, MOST_ATTEMPTS);
        figures.atMost("attempts used up while it was down, on each node", after, 0);
        figures.exactly("attempts stored at the end of the outage", run.attempts(), sum(before) + sum(after));
        figures.none("dead letters", database.number("SELECT COUNT(*) AS n FROM outbox_dead"));
    }

    private void probes() {
        long seconds = Collections.max(ofEachNode(node -> run.back() - downSince(node))) / 1_000_000_000;
        figures.atMost(
                "probes while it was down, on each node", ofEachNode(node -> (long) probes(node).length), seconds + 1);
        figures.durationsAtMost(
                "longest time between two probes, on each node", ofEachNode(this::longestBetweenProbes), PROMPT);
    }

    private long[] probes(String node) {
        return mails.stream()
                .filter(call -> call.node().equals(node) && call.began() > downSince(node) && call.began() < run.back())
                .mapToLong(HandlerCall::began)
                .toArray();
    }

    private double longestBetweenProbes(String node) {
        long longest = 0;
        long previous = downSince(node);
        for (long time : probes(node)) {
            longest = Math.max(longest, time - previous);
            previous = time;
        }
        return Math.max(longest, run.back() - previous) / 1e6;
    }

    private void recovery() {
        figures.durationsAtMost(
                "from its return to the first success, on each node", ofEachNode(this::firstSuccess), PROMPT);
        figures.durationsAtMost(
                "from its return until the backlog is delivered", List.of(lastOfBacklog()), run.limit() * 1e3);
        figures.none("events without a success", mails.missed(all).size());
        figures.none("calls in the wrong order within an aggregate", mails.reordered());
        figures.none("concurrent calls within an aggregate", mails.concurrent());
        figures.none("calls that repeated a success", mails.repeatedSuccesses());
    }

    private double firstSuccess(String node) {
        return mails.stream()
                        .filter(call -> call.node().equals(node) && call.succeeded() && call.began() > run.back())
                        .mapToDouble(call -> call.began() - run.back())
                        .min()
                        .orElse(Double.POSITIVE_INFINITY)
                / 1e6;
    }

    private double lastOfBacklog() {
        return mails.stream()
                        .filter(call -> call.succeeded() && call.event().phase().equals(OUTAGE))
                        .mapToDouble(call -> call.ended() - run.back())
                        .max()
                        .orElse(Double.POSITIVE_INFINITY)
                / 1e6;
    }

    private void healthy() {
        Latencies before = latencies(BEFORE);
        figures.show("latency of the healthy handler before the outage: p50, p99, longest", before);
        figures.p99AtMost("... during the outage", latencies(OUTAGE), Math.max(3 * before.p99(), 250));
        figures.show("... while the backlog drains", latencies(AFTER));
        figures.none("events that it did not get", works.missed(all).size());
        figures.none("calls of it that were repeated", works.repeated());
        figures.none("calls of it in the wrong order within an aggregate", works.reordered());
    }

    private Latencies latencies(String phase) {
        return works.latencies(event -> event.phase().equals(phase));
    }

    private double untilDown(String node) {
        long since = run.reports.get(node).downSince();
        return since == 0 ? Double.POSITIVE_INFINITY : (since - run.died()) / 1e6;
    }

    private long downSince(String node) {
        long since = run.reports.get(node).downSince();
        return since == 0 ? run.back() : since;
    }

    private static <T> List<T> ofEachNode(Function<String, T> figure) {
        return List.of(figure.apply("A"), figure.apply("B"));
    }

    private static long sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
