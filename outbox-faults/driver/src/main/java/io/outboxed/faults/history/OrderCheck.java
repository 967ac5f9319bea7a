package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import io.outboxed.faults.history.Outages.Outage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks that each handler group got the events of each account in order. After a crash a group may get some again,
 * with all that came after them: 1, 2, 3, 2, 3. So from one call to the next the number may go back, or forward by one
 * if the call succeeded. Events with a dead letter are ignored here, because they are delivered again at the end on
 * purpose.
 */
public final class OrderCheck {
    private static final long MOMENT_MICROS = 1_000_000;

    /** How long a frozen node may take to wake, and a worker of it to begin the call that it was about to make. */
    private static final long WAKING_MICROS = 3_000_000;

    /** How long a signal may take from our decision to its process. */
    private static final long SIGNAL_MICROS = 200_000;

    /** As in the application's configuration. */
    private static final int MOST_ATTEMPTS = 4;

    private final Facts facts;
    private final Outages outages;
    private final boolean lockSessions;
    private final Set<String> died;
    private final Findings findings;
    private final Map<String, List<Event>> accounts;
    private final Map<String, List<Outage>> frozen = new HashMap<>();
    /** Handler and id of events that were given up because their node had died in the last attempt. */
    private final Set<String> cutOff = new HashSet<>();

    /**
     * @param lockSessions whether aggregates are held by locks of a session of their node
     * @param died handler and id of events that were a dead letter at some time
     */
    public OrderCheck(Facts facts, Outages outages, boolean lockSessions, Set<String> died, Findings findings) {
        this.facts = facts;
        this.outages = outages;
        this.lockSessions = lockSessions;
        this.died = died;
        this.findings = findings;
        this.accounts = facts.committed().values().stream().collect(Collectors.groupingBy(Event::account));
    }

    /** @param letters of any time, also those that were replayed */
    public void check(List<Call> calls, Collection<Letter> letters) {
        letters.stream()
                .filter(Letter::saysThatItsLastAttemptDidNotEnd)
                .forEach(letter -> cutOff.add(letter.bean() + " " + letter.id()));
        Map<String, List<Call>> groups = new HashMap<>();
        for (Call call : calls) {
            if (!call.ended()) {
                findings.add(Kind.NOT_ENDED, call.toString());
            }
            if (ofWoken(call)) {
                findings.add(Kind.LATE_OF_WOKEN, call.toString());
            }
            if (!call.account().equals("-") && facts.committed().containsKey(call.id())) {
                groups.computeIfAbsent(call.handler() + " " + call.account(), none -> new ArrayList<>())
                        .add(call);
            }
        }
        groups.forEach((group, all) -> {
            Map<Long, Integer> ranks = ranks(all.get(0).handler(), all.get(0).account());
            List<Call> ordinary = all.stream()
                    .filter(call -> ranks.containsKey(call.number()))
                    .toList();
            if (!ordinary.isEmpty()) {
                steps(ordinary, ranks);
            }
            List<Call> awake = all.stream().filter(call -> !ofWoken(call)).toList();
            overlaps(awake);
            poisonFirst(all);
        });
    }

    /** The positions of the account's events that the handler must get, without those that were dead letters. */
    private Map<Long, Integer> ranks(String handler, String account) {
        Map<Long, Integer> ranks = new HashMap<>();
        for (Event event : accounts.getOrDefault(account, List.of())) {
            if (event.handlers().contains(handler) && !died.contains(handler + " " + event.id())) {
                ranks.put(event.number(), ranks.size() + 1);
            }
        }
        return ranks;
    }

    /** Whether its worker may have been frozen between the check of the lease and the call. */
    private boolean ofWoken(Call call) {
        return frozen.computeIfAbsent(call.node(), this::frozen).stream()
                .anyMatch(outage ->
                        call.start() > outage.from + SIGNAL_MICROS && call.start() < outage.to + WAKING_MICROS);
    }

    private List<Outage> frozen(String node) {
        return outages.of(node).stream()
                .filter(outage -> outage.why.equals(Outages.FROZEN)
                        && outage.to - outage.from > Micros.of(Outages.LEASE) * 9 / 10)
                .toList();
    }

    /**
     * Checks that what follows an event with a dead letter waits until that event has been given up. A call of a node
     * that has just woken is not judged, but that it was the last attempt is a fact.
     */
    private void poisonFirst(List<Call> calls) {
        if (calls.isEmpty() || !calls.get(0).handler().equals("Courier")) {
            return;
        }
        Map<Long, Event> alive = new TreeMap<>();
        for (Event event : accounts.getOrDefault(calls.get(0).account(), List.of())) {
            if (event.isPoison()) {
                alive.put(event.number(), event);
            }
        }
        for (Call call : calls) {
            Event first = alive.isEmpty() ? null : alive.values().iterator().next();
            if (first != null && first.number() < call.number() && !ofWoken(call)) {
                findings.add(Kind.REORDERED, call + "\n      came before the end of " + first);
            }
            Event own = alive.get(call.number());
            if (own != null && isEnd(call, own)) {
                alive.remove(call.number());
            }
        }
    }

    private boolean isEnd(Call call, Event poison) {
        if (call.ended()) {
            // it succeeds if it was cured before it was given up
            return call.succeeded() || poison.isCondemned() || call.attempt() >= MOST_ATTEMPTS;
        }
        return call.attempt() >= MOST_ATTEMPTS && cutOff.contains(call.handler() + " " + call.id());
    }

    private void steps(List<Call> calls, Map<Long, Integer> ranks) {
        Map<String, Call> succeeded = new HashMap<>();
        Call before = null;
        Call lastSuccess = null;
        for (Call call : calls) {
            int rank = ranks.get(call.number());
            int most = before == null ? 1 : ranks.get(before.number()) + (before.succeeded() ? 1 : 0);
            if (ofWoken(call) && !(rank == most && call.succeeded())) {
                continue; // unless it was in time after all: a transactional one may hold its row since before
            }
            if (rank > most) {
                findings.add(Kind.REORDERED, call + "\n      came after " + before);
            }
            if (succeeded.containsKey(call.id()) && !call.handler().equals("Ledger")) {
                findings.add(Kind.REPEATED_OUTSIDE, call.toString());
                explain(call, succeeded.get(call.id()));
            }
            if (call.succeeded()) {
                succeeded.put(call.id(), call);
                lastSuccess = call;
            }
            before = call;
        }
        if (lastSuccess != null && ranks.get(lastSuccess.number()) != ranks.size()) {
            findings.add(
                    Kind.OLDER_STATE,
                    lastSuccess + " was the last success; " + ranks.size() + " events were committed");
        }
    }

    /**
     * Only a fault that kept the last success from being stored makes it repeat: during the call, or while its node
     * still held the lease with which it could have stored it. The repeat itself may come much later.
     */
    private void explain(Call repeat, Call success) {
        long from = success.start() - MOMENT_MICROS;
        long to = Math.min(repeat.start(), success.end() + Micros.of(Outages.LEASE) + MOMENT_MICROS);
        if (!troubled(success.node(), from, to) && !troubled(Outages.DATABASE, from, to)) {
            findings.add(Kind.REPEATED_WITHOUT_FAULT, repeat + "\n      after " + success);
        }
    }

    private void overlaps(List<Call> calls) {
        Call longest = null;
        for (Call call : calls) {
            if (longest != null && longest.ended() && longest.end() > call.start()) {
                findings.add(
                        outages.lostTouch(longest.node(), longest.start(), call.start())
                                        || lockSessions && lostLocks(longest, call.start())
                                ? Kind.OVERLAPPED_STALLED
                                : Kind.OVERLAPPED,
                        call + "\n      began during " + longest);
            }
            if (longest == null || !longest.ended() || call.ended() && call.end() > longest.end()) {
                longest = call;
            }
        }
    }

    /**
     * Whether its node may have lost the session of its locks, and others count it as dead: a lease after its last
     * heartbeat, which came before the loss. A database that stops may free them earlier.
     */
    private boolean lostLocks(Call call, long moment) {
        long from = call.start() - MOMENT_MICROS;
        return troubled(call.node(), from, moment - Micros.of(Outages.LEASE) / 2)
                || troubled(Outages.DATABASE, from, moment);
    }

    private boolean troubled(String what, long from, long to) {
        return outages.of(what).stream().anyMatch(outage -> outage.overlaps(from, to));
    }
}
