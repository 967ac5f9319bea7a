package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Effect;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A small history of one account, and what the checks find in it; times are in milliseconds. */
abstract class SmallHistory {
    final Map<String, Event> committed = new LinkedHashMap<>();
    final List<Effect> effects = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    final List<Letter> letters = new ArrayList<>();
    final List<BulkOperation> operations = new ArrayList<>();
    final Outages outages = new Outages();
    final List<Letter> replayed = new ArrayList<>();
    final Set<String> discardable = new HashSet<>();
    final Map<String, Long> receipts = new HashMap<>();

    final Requests requests = new Requests(new HashMap<>(), new HashSet<>());
    long seen;
    boolean lockSessions;

    Set<Kind> found() {
        Findings findings = history().judge(calls);
        return Arrays.stream(Kind.values())
                .filter(kind -> findings.count(kind) > 0)
                .collect(Collectors.toSet());
    }

    History history() {
        List<Letter> all = new ArrayList<>(letters);
        all.addAll(replayed);
        return new History(facts(), requests, outages, all, letters, discardable, lockSessions);
    }

    Facts facts() {
        Map<String, Long> seen = new HashMap<>();
        seen.put("L1", this.seen == 0 ? committed.size() : this.seen);
        return new Facts(committed, effects, seen, receipts, operations);
    }

    /** With their effects. */
    void committed(int events) {
        for (int number = 1; number <= events; number++) {
            committed.put("id-" + number, new Event("id-" + number, "L1", number, "NONE", 0, 0));
            effects.add(new Effect("id-" + number, "L1", number));
        }
    }

    /** One after the other. */
    void couriers(int... numbers) {
        for (int number : numbers) {
            long at = 100 * (calls.size() + 1);
            calls.add(call("Courier", "id-" + number, number, 1, at, at + 1, true));
        }
    }

    /** By both handlers of its account. */
    void handled(String id, String account, long number, long start) {
        for (String handler : List.of("Ledger", "Courier")) {
            calls.add(new Call("node-1", handler, id, account, number, 1, micros(start), micros(start + 1), true));
        }
    }

    void killed(String node, long from, long to) {
        outages.add(node, Outages.KILLED, micros(from), micros(to));
        outages.add(node, Outages.GONE, micros(from), micros(from));
    }

    static Call call(String handler, String id, long number, int attempt, long start, long end, boolean succeeded) {
        return new Call("node-1", handler, id, "L1", number, attempt, micros(start), micros(end), succeeded);
    }

    static long micros(long millis) {
        return millis * 1000;
    }
}
