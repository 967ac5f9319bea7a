package io.outboxed.faults;

import io.outboxed.faults.history.Call;
import io.outboxed.faults.history.Facts;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings;
import io.outboxed.faults.history.History;
import io.outboxed.faults.history.Micros;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.PauseCheck;
import io.outboxed.faults.history.PauseCheck.Standstill;
import io.outboxed.faults.history.PauseCheck.Wait;
import io.outboxed.faults.history.RepeatCheck;
import io.outboxed.faults.history.Requests;
import io.outboxed.faults.history.Spans;
import io.outboxed.faults.history.Spans.Span;
import io.outboxed.faults.history.WaitCause;
import io.outboxed.faults.history.WriterKind;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a run has shown, section by section. */
final class Evaluation {
    private static final int LONGEST_SHOWN = 3;

    private final Settings settings;
    private final Plan planned;
    /** Whether each kind of what the run can show has to have occurred. */
    private final boolean isLong;

    private final Injection injection;
    private final Cluster cluster;
    private final Drain drain;
    private final Outages outages;
    private final long begin;
    private final List<Call> calls;
    private final Report report;

    /** @param begin when the first fault could occur */
    Evaluation(
            Settings settings,
            Plan planned,
            Injection injection,
            Cluster cluster,
            Drain drain,
            Outages outages,
            long begin) {
        this.settings = settings;
        this.planned = planned;
        this.isLong = planned.isLong(settings.most());
        this.injection = injection;
        this.cluster = cluster;
        this.drain = drain;
        this.outages = outages;
        this.begin = begin;
        this.calls = Call.read(cluster.journals());
        this.report = new Report(settings.database(), settings.seed(), settings.length());
    }

    /** @param letters those that remained */
    Report of(Facts facts, Requests requests, List<Letter> letters, boolean isClockWrong) {
        Set<Letter> all = new HashSet<>(drain.beforeReplay());
        all.addAll(Call.died(cluster.journals()));
        History history = new History(
                facts,
                requests,
                outages,
                all,
                letters,
                Call.discardable(cluster.journals()),
                settings.claim().equals("advisory-lock"));
        history.write(settings.directory());
        Findings findings = history.judge(calls);
        injected(isClockWrong);
        transactions(facts);
        calls(facts, requests, letters.size());
        operations(findings.count(Findings.Kind.DISCARDED));
        promises(findings);
        drained();
        findings.explain(Console::line);
        pauses(new PauseCheck(facts, calls, outages), all, new WaitCause(facts, calls, outages, all, cluster.names()));
        return report;
    }

    private void injected(boolean isClockWrong) {
        report.faults(injection.counts(), planned, settings.most());
        long redeployed = outages.count(Outages.REDEPLOYED);
        report.needed(
                isLong && settings.wildFly().isPresent() && planned.kinds().contains(Fault.ROLLING_RESTART),
                "nodes that got the other version in their running server (WildFly); all others were restarted",
                redeployed,
                redeployed > 0);
        report.needed(
                isLong,
                "clock of one node an hour " + (WrongClock.off(settings.seed()).isNegative() ? "behind" : "ahead"),
                isClockWrong ? "all the time" : "left out: no libfaketime",
                isClockWrong);
        report.row("nodes with another server", settings.wildFly().isPresent() ? "one of three on WildFly" : "none");
        report.row("how the nodes share the work (`outbox.relay.claim`)", settings.claim());
    }

    private void transactions(Facts facts) {
        report.row("transactions that each node begins per second", settings.rate());
        report.some(
                "events committed", facts.committed().size(), facts.committed().size());
        report.writers(WriterKind.committed(facts), injection.counts().containsKey(Fault.ROLLING_RESTART));
        drain.writerCounts()
                .kinds()
                .forEach((kind, count) ->
                        report.row("transactions since the last start of each node, and failed ones: " + kind, count));
    }

    private void calls(Facts facts, Requests requests, int lettersLeft) {
        report.some("calls", calls.size(), calls.size());
        report.row("effects", facts.effects().size());
        report.some(
                "effects of an outside handler, by `@Idempotent`",
                facts.receipts().size(),
                facts.receipts().size());
        report.some(
                "requests that were answered, each of them repeated",
                requests.answered().size(),
                requests.answered().size());
        report.row(
                "dead letters replayed at the end, and remaining",
                drain.beforeReplay().size() + ", " + lettersLeft);
    }

    private void operations(int discarded) {
        report.bulkReplays(drain.bulkOperations(), outages, cluster.names());
        report.bulkDiscards(
                drain.bulkOperations(),
                isLong && planned.kinds().contains(Fault.BULK_DISCARD),
                discarded,
                outages,
                cluster.names());
        report.bulkRetries(
                drain.bulkOperations(), isLong && planned.kinds().contains(Fault.BULK_RETRY), outages, cluster.names());
    }

    private void promises(Findings findings) {
        report.findings(findings);
        report.row(
                "share of the time in which a fault would explain a repeated success",
                String.format(
                        Locale.ROOT,
                        "%.0f %%",
                        100 * RepeatCheck.explainable(outages, cluster.names(), begin, drain.emptyAt())));
        long accused = Logs.accusations(cluster.journals());
        report.barred(
                "writers accused of not being serialised (`OUTBOX-0417`), although all are",
                accused,
                "0",
                accused == 0);
    }

    private void drained() {
        report.remains(drain.beforeCure());
        report.barred("messages left after the drain", drain.left(), "0", drain.left() == 0);
        report.row("time to drain", Micros.seconds(drain.millis() * 1000));
    }

    private void pauses(PauseCheck check, Set<Letter> letters, WaitCause cause) {
        long end = drain.emptyAt();
        Spans available = outages.available(cluster.names(), begin, end);
        List<Span> longest = check.pauses(outages, cluster.names(), begin, end);
        Wait wait = check.longestWait(available);
        Standstill standstill = check.longestStandstill(outages, cluster.names(), begin, end);
        Standstill withoutFault = check.longestStandstillWithoutFault(letters, begin, end);

        report.pause(longest, injection, settings.pause());
        report.row(
                "longest pause while nodes took turns being up",
                Micros.seconds(check.longestOver(available).length()));
        report.row(
                "longest pause while all nodes were replaced in turn",
                Micros.seconds(
                        check.longestOver(available.and(injection.rolling())).length()));
        report.row(
                "longest standstill of one aggregate while one node was up throughout",
                Micros.seconds(standstill.span().length()));
        report.pause(
                "longest standstill of one aggregate while nothing had a fault, not behind poison",
                withoutFault.span(),
                settings.pause());
        report.row(
                "longest wait of one event for its first call, while a node could have made it",
                Micros.seconds(wait.micros()));

        Console.line("\nlongest pauses:");
        longest.stream()
                .limit(LONGEST_SHOWN)
                .forEach(pause -> Console.line("    " + Micros.seconds(pause.length()) + " from " + pause.from()
                        + ", last fault: " + injection.lastBefore(pause.from())));
        Console.line("longest wait: " + Micros.seconds(wait.micros()) + ": "
                + cause.of(wait.event(), wait.handler(), end) + "\n    last fault before: "
                + injection.lastBefore(wait.event().dueAt()));
        Console.line("drain: " + drain.phases());
        cause.lastFirstCallBefore(end)
                .ifPresent(last -> Console.line("drained last before the cure: " + cause.of(last)));
        Console.line("longest standstill: " + standstill + ", last fault: "
                + injection.lastBefore(standstill.span().from()));
        Console.line("longest standstill without a fault: " + withoutFault);
    }
}
