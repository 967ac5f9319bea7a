package io.outboxed.faults;

import io.outboxed.faults.history.Call;
import io.outboxed.faults.history.Facts;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Findings;
import io.outboxed.faults.history.History;
import io.outboxed.faults.history.Micros;
import io.outboxed.faults.history.PauseCheck;
import io.outboxed.faults.history.PauseCheck.Standstill;
import io.outboxed.faults.history.PauseCheck.Wait;
import io.outboxed.faults.history.Requests;
import io.outboxed.faults.history.Spans;
import io.outboxed.faults.history.Spans.Span;
import io.outboxed.faults.history.WaitCause;
import io.outboxed.faults.history.WriterKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Stream;

/** Judges a run again, with checks that may be better than those of its time. */
final class Judge {
    private Judge() {}

    /**
     * @param directory of the run
     * @return whether every promise was kept, and something happened that could have broken one
     */
    static boolean judge(Path directory) {
        History history = History.read(directory);
        List<Call> calls = Call.read(journals(directory));
        int events = history.facts().committed().size();
        Console.line("| events committed | " + events + " |");
        Console.line("| calls | " + calls.size() + " |");
        if (events == 0 || calls.isEmpty()) {
            Console.line("| without both, a run shows nothing | **missed** |");
            return false;
        }
        boolean isComplete = hasEachKind(history);
        Findings findings = history.judge(calls);
        findings.explain(Console::line);
        for (Findings.Kind kind : Findings.Kind.values()) {
            Console.line("| " + kind.text + " | " + findings.count(kind) + " |");
        }
        Console.line("| longest pause, not counting the drain | "
                + Micros.seconds(longestPause(history, calls).length()) + " |");
        Console.line("| longest standstill of one aggregate while nothing had a fault, not behind poison | "
                + Micros.seconds(longestStandstill(history, calls).span().length()) + " |");
        longestWait(history, calls);
        return isComplete && findings.allowed();
    }

    /** @return whether each kind of transaction was committed that this history can show */
    static boolean hasEachKind(History history) {
        Facts facts = history.facts();
        boolean nextVersion = facts.committed().values().stream().anyMatch(event -> event.version() > 1);
        boolean isComplete = true;
        for (Map.Entry<WriterKind, Long> kind : WriterKind.committed(facts).entrySet()) {
            boolean isPossible = kind.getKey() != WriterKind.TRANSFER || nextVersion;
            isComplete &= some(kind.getKey().text, kind.getValue(), isPossible);
        }
        Requests requests = history.requests();
        // the oldest histories have none
        boolean hasRequests = !requests.done().isEmpty() || !requests.answered().isEmpty();
        return some("requests that were answered", requests.answered().size(), hasRequests) && isComplete;
    }

    private static boolean some(String what, long count, boolean isPossible) {
        String missed = count > 0 ? "" : isPossible ? " **missed**" : " (n/a)";
        Console.line("| " + what + " | " + count + missed + " |");
        return count > 0 || !isPossible;
    }

    /** From the first event to the last one. */
    private static Span longestPause(History history, List<Call> calls) {
        LongSummaryStatistics written = history.facts().committed().values().stream()
                .mapToLong(Event::writtenAt)
                .summaryStatistics();
        List<String> nodes = calls.stream().map(Call::node).distinct().toList();
        List<Span> pauses = new PauseCheck(history.facts(), calls, history.outages())
                .pauses(history.outages(), nodes, written.getMin(), written.getMax());
        return pauses.isEmpty() ? new Span(0, 0) : pauses.get(0);
    }

    /** From the first call to the last one. */
    private static void longestWait(History history, List<Call> calls) {
        List<String> nodes = calls.stream().map(Call::node).distinct().toList();
        long last = calls.get(calls.size() - 1).start();
        Spans available = history.outages().available(nodes, calls.get(0).start(), last);
        Wait wait = new PauseCheck(history.facts(), calls, history.outages()).longestWait(available);
        WaitCause cause = new WaitCause(history.facts(), calls, history.outages(), history.letters(), nodes);
        Console.line(
                "longest wait: " + Micros.seconds(wait.micros()) + ": " + cause.of(wait.event(), wait.handler(), last));
    }

    /** From the first call to the last one. */
    private static Standstill longestStandstill(History history, List<Call> calls) {
        return new PauseCheck(history.facts(), calls, history.outages())
                .longestStandstillWithoutFault(
                        history.letters(),
                        calls.get(0).start(),
                        calls.get(calls.size() - 1).start());
    }

    private static List<Path> journals(Path directory) {
        try (Stream<Path> nodes = Files.list(directory)) {
            return nodes.map(node -> node.resolve("journal"))
                    .filter(Files::exists)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
