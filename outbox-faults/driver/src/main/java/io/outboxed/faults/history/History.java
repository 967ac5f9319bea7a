package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Effect;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import io.outboxed.faults.history.Outages.Outage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a run leaves behind to be judged, but for the calls, which are in the journals of its nodes. It is kept beside
 * them, so that a run can be judged again by better checks.
 *
 * @param letters dead letters of any time, also those that were replayed or discarded
 * @param left those at the end, after all others were replayed
 * @param discardable handler and id of dead letters that a bulk operation may have discarded
 * @param lockSessions whether aggregates are held by locks of a session of their node
 */
public record History(
        Facts facts,
        Requests requests,
        Outages outages,
        Collection<Letter> letters,
        List<Letter> left,
        Set<String> discardable,
        boolean lockSessions) {
    private static final String FILE = "history";
    /** After which the relay gives up on an event. */
    private static final int DEATHS_OF_A_SUSPECT = 3;

    public Findings judge(List<Call> calls) {
        Findings findings = new Findings();
        Set<String> died = new HashSet<>();
        facts.committed().values().stream().filter(Event::isPoison).forEach(event -> died.add("Courier " + event.id()));
        for (Letter letter : letters) {
            if (died.add(letter.bean() + " " + letter.id()) && !letter.isOrdered(facts.committed())) {
                findings.add(kind(letter, calls), letter.toString());
            }
        }
        new EffectCheck(facts, calls, died, discardable, findings).check(left);
        new OrderCheck(facts, outages, lockSessions, died, findings).check(calls, letters);
        new TimeCheck(facts, outages, died, findings).check(calls);
        requests.check(findings);
        return findings;
    }

    private Kind kind(Letter unordered, List<Call> calls) {
        List<Call> ofEvent =
                calls.stream().filter(call -> call.id().equals(unordered.id())).toList();
        if (unordered.blamesCrashes() && (wasCutOff(unordered, ofEvent) || mayNotHaveBegun(unordered, ofEvent))) {
            return Kind.DEAD_OF_CRASHES;
        }
        return unordered.blamesFullDisk() ? Kind.DEAD_OF_FULL_DISK : Kind.DEAD_UNEXPECTED;
    }

    /**
     * Whether a node could not go on before it can have stored what came of one of the handler's calls, or of a call of
     * another handler before its first one: a start is counted for the event, and the next handler is blamed, although it
     * may never have been called.
     */
    private boolean wasCutOff(Letter letter, List<Call> ofEvent) {
        long firstOwn = ofEvent.stream()
                .filter(call -> call.handler().equals(letter.bean()))
                .mapToLong(Call::start)
                .min()
                .orElse(Call.NEVER);
        return ofEvent.stream()
                .anyMatch(call -> call.handler().equals(letter.bean())
                        ? !call.ended() || RepeatCheck.isExplained(outages, call)
                        : call.start() < firstOwn && (!call.ended() || RepeatCheck.isExplainedByNode(outages, call)));
    }

    /**
     * Whether so many nodes were lost before its first call. Each may have counted its start, and not reached the call. A
     * letter has no time: of one that was never called, all later losses count.
     */
    private boolean mayNotHaveBegun(Letter letter, List<Call> ofEvent) {
        Event event = facts.committed().get(letter.id());
        long firstCall = ofEvent.stream().mapToLong(Call::start).min().orElse(Call.NEVER);
        return event != null
                && outages.losses(Math.max(event.writtenAt(), event.dueAt()), firstCall) >= DEATHS_OF_A_SUSPECT;
    }

    /** @param directory of the run */
    public void write(Path directory) {
        List<String> lines = new ArrayList<>();
        lines.add("locks\t" + lockSessions);
        for (Event event : facts.committed().values()) {
            lines.add(line(
                    "event",
                    event.id(),
                    event.account(),
                    event.number(),
                    event.fault(),
                    event.type(),
                    event.version(),
                    event.writtenAt(),
                    event.dueAt()));
        }
        facts.effects().forEach(effect -> lines.add(line("effect", effect.id(), effect.account(), effect.number())));
        facts.seen().forEach((account, number) -> lines.add(line("seen", account, number)));
        facts.receipts().forEach((id, times) -> lines.add(line("receipt", id, times)));
        requests.done().forEach((id, times) -> lines.add(line("request", id, times)));
        requests.answered().forEach(id -> lines.add(line("answered", id)));
        facts.operations()
                .forEach(each ->
                        lines.add(line("operation", each.kind(), each.startedAt(), each.endedAt(), each.changed())));
        outages.all()
                .forEach(outage ->
                        lines.add(line("outage", outage.what, outage.why, outage.down, outage.from, outage.to)));
        letters.forEach(letter -> lines.add(line("letter", letter.id(), letter.handler(), letter.error())));
        discardable.forEach(letter -> lines.add(line("discardable", letter)));
        left.forEach(letter -> lines.add(line("left", letter.id(), letter.handler(), letter.error())));
        try {
            Files.write(directory.resolve(FILE), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Object... values) {
        StringBuilder line = new StringBuilder();
        for (Object value : values) {
            line.append(line.isEmpty() ? "" : "\t").append(String.valueOf(value).replaceAll("\\s", " "));
        }
        return line.toString();
    }

    public static History read(Path directory) {
        Map<String, Event> committed = new LinkedHashMap<>();
        List<Effect> effects = new ArrayList<>();
        Map<String, Long> seen = new HashMap<>();
        Map<String, Long> receipts = new HashMap<>();
        Requests requests = new Requests(new HashMap<>(), new HashSet<>());
        List<BulkOperation> operations = new ArrayList<>();
        Outages outages = new Outages();
        List<Letter> letters = new ArrayList<>();
        List<Letter> left = new ArrayList<>();
        Set<String> discardable = new HashSet<>();
        boolean lockSessions = false;
        for (String line : lines(directory.resolve(FILE))) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "locks" -> lockSessions = Boolean.parseBoolean(words[1]);
                case "event" -> committed.put(words[1], event(words));
                case "effect" -> effects.add(new Effect(words[1], words[2], Long.parseLong(words[3])));
                case "seen" -> seen.put(words[1], Long.parseLong(words[2]));
                case "receipt" -> receipts.put(words[1], Long.parseLong(words[2]));
                case "request" -> requests.done().put(words[1], Long.parseLong(words[2]));
                case "answered" -> requests.answered().add(words[1]);
                case "operation" -> operations.add(operation(words));
                case "outage" -> outages.add(outage(words));
                case "letter" -> letters.add(new Letter(words[1], words[2], words[3]));
                case "discardable" -> discardable.add(words[1]);
                case "left" -> left.add(new Letter(words[1], words[2], words[3]));
                default -> throw new IllegalStateException("no line of a history: " + line);
            }
        }
        Facts facts = new Facts(committed, effects, seen, receipts, operations);
        return new History(facts, requests, outages, letters, left, discardable, lockSessions);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Event event(String[] words) {
        return new Event(
                words[1],
                words[2],
                Long.parseLong(words[3]),
                words[4],
                words[5],
                Integer.parseInt(words[6]),
                Long.parseLong(words[7]),
                Long.parseLong(words[8]));
    }

    private static BulkOperation operation(String[] words) {
        return new BulkOperation(
                BulkOperation.Kind.valueOf(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]));
    }

    private static Outage outage(String[] words) {
        Outage outage = new Outage(words[1], words[2], Boolean.parseBoolean(words[3]), Long.parseLong(words[4]));
        outage.to = Long.parseLong(words[5]);
        return outage;
    }
}
