package io.outboxed.faults;

import io.outboxed.faults.history.BulkOperation;
import io.outboxed.faults.history.Findings;
import io.outboxed.faults.history.Findings.Kind;
import io.outboxed.faults.history.Micros;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.Remains;
import io.outboxed.faults.history.Spans.Span;
import io.outboxed.faults.history.WriterKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table at the end, as Markdown. */
final class Report {
    private final List<String> lines = new ArrayList<>();
    private boolean kept = true;

    Report(String database, long seed, Duration length) {
        lines.add(String.format(
                Locale.ROOT,
                "| %s, seed %d, %d nodes, %d s | | bar |",
                database,
                seed,
                Settings.NODES,
                length.toSeconds()));
        lines.add("|---|---|---|");
    }

    /** Faults that had no opportunity are in the table too; all that were planned have to have one. */
    void faults(Map<Fault, Integer> counts, Plan plan, int most) {
        int total = Injection.total(counts);
        if (plan.hasOnlyOperatorActions()) {
            row("faults", total);
        } else if (most == Integer.MAX_VALUE) {
            some("faults", total, total);
        } else {
            barred("faults", total, most, total >= most);
        }
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        row("operator actions, which are no faults", all - total);
        for (Fault fault : Fault.values()) {
            row(fault.text, counts.getOrDefault(fault, 0));
        }
        Set<Fault> missing = plan.kinds();
        missing.removeAll(counts.keySet());
        String names = missing.isEmpty() ? "0" : missing.size() + ": " + missing;
        needed(plan.needsEachKind(most), "planned kinds of faults that never occurred", names, missing.isEmpty());
    }

    /** A run without any shows nothing, however short it is. */
    void some(String what, Object value, long count) {
        barred(what, value, "> 0", count > 0);
    }

    /** @param nextVersion whether all nodes were given the next version: nodes of the first one make no transfers */
    void writers(Map<WriterKind, Long> committed, boolean nextVersion) {
        committed.forEach((kind, count) -> {
            if (kind == WriterKind.TRANSFER && !nextVersion) {
                row(kind.text, count);
            } else {
                some(kind.text, count, count);
            }
        });
    }

    /** A long run without it does not show what it claims to show. */
    void needed(boolean isLong, String what, Object value, boolean present) {
        if (isLong) {
            barred(what, value, "needed", present);
        } else {
            row(what, value);
        }
    }

    void row(String what, Object value) {
        lines.add("| " + what + " | " + value + " | |");
    }

    void barred(String what, Object value, Object bar, boolean met) {
        kept &= met;
        lines.add("| " + what + " | " + value + " | " + bar + (met ? "" : " **missed**") + " |");
    }

    void findings(Findings findings) {
        for (Kind kind : Kind.values()) {
            int count = findings.count(kind);
            if (kind.forbidden) {
                barred(kind.text, count, "0", count == 0);
            } else {
                row(kind.text, count);
            }
        }
    }

    /** Of a fault that found no dead letter, there is none. */
    void bulkReplays(List<BulkOperation> operations, Outages outages, List<String> nodes) {
        List<BulkOperation> replays = BulkOperation.Kind.REPLAY.of(operations);
        row("bulk replays with dead letters", replays.size());
        interrupted(replays, outages, nodes);
        row("... dead letters that they replayed", changed(replays));
        unfinished(replays);
    }

    /**
     * @param needed whether one of them has to have found a dead letter
     * @param events that neither succeeded nor are dead letters at the end
     */
    void bulkDiscards(List<BulkOperation> operations, boolean needed, int events, Outages outages, List<String> nodes) {
        List<BulkOperation> discards = BulkOperation.Kind.DISCARD.of(operations);
        row("bulk discards with dead letters", discards.size());
        interrupted(discards, outages, nodes);
        long discarded = changed(discards);
        needed(needed, "... dead letters that they discarded", discarded, discarded > 0);
        barred("... events that ended so", events, discarded, events == discarded);
        unfinished(discards);
    }

    /** @param needed whether one of them has to have found a delivery that was not due yet */
    void bulkRetries(List<BulkOperation> operations, boolean needed, Outages outages, List<String> nodes) {
        List<BulkOperation> retries = BulkOperation.Kind.RETRY.of(operations);
        row("bulk retries of what waits", retries.size());
        interrupted(retries, outages, nodes);
        needed(needed, "... deliveries that they made due", changed(retries), changed(retries) > 0);
        unfinished(retries);
    }

    private void interrupted(List<BulkOperation> operations, Outages outages, List<String> nodes) {
        row(
                "... during which a node or the database was down",
                operations.stream()
                        .filter(each -> each.wasInterrupted(outages, nodes))
                        .count());
    }

    private static long changed(List<BulkOperation> operations) {
        return operations.stream().mapToLong(BulkOperation::changed).sum();
    }

    private void unfinished(List<BulkOperation> operations) {
        long unfinished =
                operations.stream().filter(BulkOperation::isUnfinished).count();
        barred("... left unfinished", unfinished, "0", unfinished == 0);
    }

    void remains(Remains beforeCure) {
        long unexpected = beforeCure.unexpected();
        barred("messages left before poison was cured, and not behind it", unexpected, "0", unexpected == 0);
        row("... left behind poison whose handler counted as down (not promised)", beforeCure.behindPoison());
    }

    void pause(List<Span> longest, Injection injection, Optional<Duration> bar) {
        Span pause = longest.isEmpty() ? new Span(0, 0) : longest.get(0);
        pause("longest pause (" + injection.lastBefore(pause.from()) + ")", pause, bar);
    }

    void pause(String what, Span pause, Optional<Duration> bar) {
        String length = Micros.seconds(pause.length());
        bar.map(Micros::of)
                .ifPresentOrElse(
                        most -> barred(what, length, Micros.seconds(most), pause.length() <= most),
                        () -> row(what, length));
    }

    /** Whether every requirement was met. */
    boolean kept() {
        return kept;
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
