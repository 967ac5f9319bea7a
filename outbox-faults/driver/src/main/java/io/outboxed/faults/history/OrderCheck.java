package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks that each handler group got the events of each account in order. After a crash a group may get some again,
 * with all that came after them: 1, 2, 3, 2, 3. So from one call to the next the number may go back, or forward by one
 * if the call succeeded. Events with a dead letter come after their predecessors too, but are delivered again at any
 * time on purpose.
 */
public final class OrderCheck {
    /** As in the application's configuration. */
    static final int MOST_ATTEMPTS = 4;

    private final Facts facts;
    private final Outages outages;
    private final boolean lockSessions;
    private final Set<String> died;
    private final Findings findings;
    private final Map<String, List<Event>> accounts;
    private final WokenCalls woken;
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
        this.woken = new WokenCalls(outages);
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
            overlaps(all);
            poisonFirst(all);
            deadInTurn(all, ranks.keySet());
        });
        new RepeatCheck(facts, outages, woken, died, findings).check(calls);
        woken.excused().forEach(call -> findings.add(Kind.LATE_OF_WOKEN, call.toString()));
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

    /**
     * Checks that what follows an event with a dead letter waits until that event has been given up. A late call of a
     * node that has just woken is not judged, but that it was the last attempt is a fact.
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
        Map<Long, Call> last = new HashMap<>();
        for (Call call : calls) {
            alive.values().removeIf(event -> endedBetween(last.get(event.number()), call));
            Event first = alive.isEmpty() ? null : alive.values().iterator().next();
            if (first != null && first.number() < call.number() && !woken.excuse(call)) {
                findings.add(Kind.REORDERED, call + "\n      came before the end of " + first);
            }
            Event own = alive.get(call.number());
            if (own != null && isEnd(call, own)) {
                alive.remove(call.number());
            }
            last.put(call.number(), call);
        }
    }

    /**
     * Checks that an event that was a dead letter at some time was not called before its predecessor had succeeded.
     * Later calls of it, also those of a replay, come after that too.
     *
     * @param ordinary the numbers of the events that were no dead letters
     */
    private void deadInTurn(List<Call> calls, Set<Long> ordinary) {
        NavigableSet<Long> numbers = new TreeSet<>(ordinary);
        Map<Long, Long> succeededAt = new HashMap<>();
        for (Call call : calls) {
            Long before = numbers.lower(call.number());
            boolean isDead = died.contains(call.handler() + " " + call.id());
            if (isDead
                    && before != null
                    && succeededAt.getOrDefault(before, Call.NEVER) > call.start()
                    && !woken.excuse(call)) {
                findings.add(Kind.REORDERED, call + "\n      came before the success of number " + before);
            }
            if (call.succeeded()) {
                succeededAt.merge(call.number(), call.end(), Math::min);
            }
        }
    }

    /**
     * Whether its last attempt was counted, and the node that counted it died or was cut off before the call: a dead
     * letter says that this attempt did not end, but there is no call of it.
     *
     * @param last of its calls so far, or null
     */
    private boolean endedBetween(Call last, Call next) {
        return last != null
                && last.failed()
                && last.attempt() == MOST_ATTEMPTS - 1
                && next.number() > last.number()
                && cutOff.contains(last.handler() + " " + last.id())
                && outages.anyNodeLost(earliestRetry(last, next), next.start());
    }

    /** When the next attempt can have been counted: once it was due, unless a bulk retry may have brought it forward. */
    private long earliestRetry(Call last, Call next) {
        boolean broughtForward = BulkOperation.Kind.RETRY.of(facts.operations()).stream()
                .anyMatch(retry -> retry.startedAt() < next.start() && last.end() < retry.endedAt());
        return broughtForward ? last.end() : last.end() + TimeCheck.backoffMicros(last);
    }

    private boolean isEnd(Call call, Event poison) {
        if (call.ended()) {
            // it succeeds if it was cured before it was given up
            return call.succeeded() || poison.isCondemned() || call.attempt() >= MOST_ATTEMPTS;
        }
        return call.attempt() >= MOST_ATTEMPTS && cutOff.contains(call.handler() + " " + call.id());
    }

    private void steps(List<Call> calls, Map<Long, Integer> ranks) {
        Call before = null;
        Call lastSuccess = null;
        Call last = null;
        for (Call call : calls) {
            last = call.succeeded() ? call : last;
            int rank = ranks.get(call.number());
            int most = before == null ? 1 : ranks.get(before.number()) + (before.succeeded() ? 1 : 0);
            if (rank != most && woken.excuse(call)) {
                continue; // it was no call of this order, neither in it nor as what the next one has to follow
            }
            if (rank > most) {
                findings.add(Kind.REORDERED, call + "\n      came after " + before);
            }
            if (call.succeeded()) {
                lastSuccess = call;
            }
            before = call;
        }
        if (lastSuccess != null && ranks.get(lastSuccess.number()) != ranks.size()) {
            findings.add(
                    Kind.OLDER_STATE,
                    lastSuccess + " was the last success; " + ranks.size() + " events were committed");
        }
        // what was excused has changed the receiver nevertheless
        if (last != lastSuccess && ranks.get(last.number()) != ranks.size()) {
            findings.add(Kind.OLDER_STATE_OF_WOKEN, last + " was the last success, after " + lastSuccess);
        }
    }

    private void overlaps(List<Call> calls) {
        List<Call> running = new ArrayList<>();
        for (Call call : calls) {
            running.removeIf(earlier -> outages.endOf(earlier) <= call.start());
            running.forEach(earlier -> overlap(earlier, call));
            running.add(call);
        }
    }

    private void overlap(Call longer, Call call) {
        // a node knows its own calls, whatever it has lost meanwhile
        boolean isOwn = call.node().equals(longer.node());
        boolean stalled = !isOwn
                && (outages.lostTouch(longer.node(), longer.start(), call.start())
                        || outages.lostLease(longer.node(), longer.start(), call.start())
                        || lockSessions && lostLocks(longer, call.start()));
        if (isOwn || stalled || !woken.excuse(longer) && !woken.excuse(call)) {
            findings.add(stalled ? Kind.OVERLAPPED_STALLED : Kind.OVERLAPPED, call + "\n      began during " + longer);
        }
    }

    /**
     * Whether its node may have lost the session of its locks, and others count it as dead: a lease after its last
     * heartbeat, which came before the loss. A database that stops may free them earlier.
     */
    private boolean lostLocks(Call call, long moment) {
        long from = call.start() - Outages.MOMENT_MICROS;
        return outages.troubled(call.node(), from, moment - Micros.of(Outages.LEASE) / 2)
                || outages.troubled(Outages.DATABASE, from, moment);
    }
}
