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
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code mvn -Pfaults}: the whole run. Exits with 1 if a requirement was not met. */
public final class Faults {
    private static final int LONGEST_SHOWN = 3;

    private final Settings settings;
    private final Outages outages = new Outages();
    private final Optional<Path> wrongClock = WrongClock.library();

    private Faults(Settings settings) {
        this.settings = settings;
    }

    public static void main(String[] arguments) throws SQLException {
        String judged = System.getProperty("faults.judge", "");
        if (!judged.isEmpty()) {
            System.exit(Judge.judge(Path.of(judged)) ? 0 : 1);
        }
        OptionalInt code = Disk.isMounted() ? OptionalInt.empty() : Disk.run(Faults.class);
        System.exit(code.isPresent() ? code.getAsInt() : new Faults(Settings.read()).run() ? 0 : 1);
    }

    private boolean run() throws SQLException {
        Say.line("faults.database=" + settings.database() + " faults.seed=" + settings.seed());
        Plan planned = settings.plan();
        if (wrongClock.isEmpty()) {
            Say.line("left out: a wrong clock, because libfaketime was not found (on Debian in the package libfaketime;"
                    + " or name it with -Dfaults.faketime=<path>)");
        }
        try (Storage storage = new Storage(settings.database(), outages);
                Cluster cluster = new Cluster(settings, storage, outages, wrongClock)) {
            Say.progress("starting %d nodes", Settings.NODES);
            cluster.start();
            Plan plan = storage.hasDisk() ? planned : planned.without(Fault.DISK_FULL);
            Injection injection = new Injection(cluster, storage);
            long begin = Micros.now();
            injection.run(plan, new Length(settings.length(), plan.isLong(settings.most())), settings.most());
            Say.progress("all nodes are up, draining");
            Drain drain = new Drain(cluster, storage);
            List<Letter> letters = drain.run();
            try (Connection connection = storage.connect()) {
                Requests requests = Requests.read(connection, Call.answered(cluster.journals()));
                Report report =
                        report(Facts.read(connection), requests, planned, injection, cluster, drain, letters, begin);
                Say.line("\n" + report);
                return report.kept();
            }
        }
    }

    private Report report(
            Facts facts,
            Requests requests,
            Plan planned,
            Injection injection,
            Cluster cluster,
            Drain drain,
            List<Letter> letters,
            long begin) {
        List<Call> calls = Call.read(cluster.journals());
        Set<Letter> all = new HashSet<>(drain.beforeReplay());
        all.addAll(Call.replayed(cluster.journals()));
        History history = new History(
                facts, requests, outages, all, letters, settings.claim().equals("advisory-lock"));
        history.write(settings.directory());
        Findings findings = history.judge(calls);
        PauseCheck pauses = new PauseCheck(facts, calls, outages);
        long end = drain.emptyAt();
        Spans available = outages.available(cluster.names(), begin, end);
        List<Span> longest = pauses.pauses(outages, cluster.names(), begin, end);
        Wait wait = pauses.longestWait(available);
        Standstill standstill = pauses.longestStandstill(outages, cluster.names(), begin, end);

        Report report = new Report(settings.database(), settings.seed(), settings.length());
        report.faults(injection.counts(), planned, settings.most());
        report.row(
                "nodes that got the other version in their running server (WildFly); all others were restarted",
                outages.count(Outages.REDEPLOYED));
        report.needed(
                planned.isLong(settings.most()),
                "clock of one node an hour " + (WrongClock.off(settings.seed()).isNegative() ? "behind" : "ahead"),
                wrongClock.isPresent() ? "all the time" : "left out: no libfaketime",
                wrongClock.isPresent());
        report.row("nodes with another server", settings.wildFly().isPresent() ? "one of three on WildFly" : "none");
        report.row("how the nodes share the work (`outbox.relay.claim`)", settings.claim());
        report.row("transactions that each node begins per second", settings.rate());
        report.row("events committed", facts.committed().size());
        drain.written()
                .kinds()
                .forEach((kind, count) -> report.needed(
                        planned.isLong(settings.most()),
                        "... transactions since the last start of each node, and failed ones: " + kind,
                        count,
                        count.committed() > 0));
        report.row("calls", calls.size());
        report.row("effects", facts.effects().size());
        report.row(
                "requests that were answered, each of them repeated",
                requests.answered().size());
        report.row(
                "dead letters replayed at the end, and remaining",
                drain.beforeReplay().size() + ", " + letters.size());
        report.bulkReplays(drain.bulkOperations(), outages, cluster.names());
        report.bulkRetries(
                drain.bulkOperations(),
                planned.isLong(settings.most()) && planned.kinds().contains(Fault.BULK_RETRY),
                outages,
                cluster.names());
        report.findings(findings);
        report.row(
                "share of the time in which a fault would explain a repeated success",
                String.format(
                        Locale.ROOT, "%.0f %%", 100 * RepeatCheck.explainable(outages, cluster.names(), begin, end)));
        long accused = Logs.accusations(cluster.journals());
        report.barred(
                "writers accused of not being serialised (`OUTBOX-0417`), although all are",
                accused,
                "0",
                accused == 0);
        report.remains(drain.beforeCure());
        report.barred("messages left after the drain", drain.left(), "0", drain.left() == 0);
        report.row("time to drain", Micros.seconds(drain.millis() * 1000));
        report.pause(longest, injection, settings.pause());
        report.row(
                "longest pause while nodes took turns being up",
                Micros.seconds(pauses.longestOver(available).length()));
        report.row(
                "longest pause while all nodes were replaced in turn",
                Micros.seconds(
                        pauses.longestOver(available.and(injection.rolling())).length()));
        report.row(
                "longest standstill of one aggregate while one node was up throughout",
                Micros.seconds(standstill.span().length()));
        report.row(
                "longest wait of one event for its first call, while a node could have made it",
                Micros.seconds(wait.micros()));
        findings.explain(Say::line);
        explain(longest, wait, injection);
        Say.line("longest standstill: " + standstill + ", last fault: "
                + injection.lastBefore(standstill.span().from()));
        return report;
    }

    private void explain(List<Span> longest, Wait wait, Injection injection) {
        Say.line("\nlongest pauses:");
        longest.stream()
                .limit(LONGEST_SHOWN)
                .forEach(pause -> Say.line("    " + Micros.seconds(pause.length()) + " from " + pause.from()
                        + ", last fault: " + injection.lastBefore(pause.from())));
        Say.line("longest wait of one event: " + wait + ", last fault: "
                + injection.lastBefore(wait.event().dueAt()));
    }
}
