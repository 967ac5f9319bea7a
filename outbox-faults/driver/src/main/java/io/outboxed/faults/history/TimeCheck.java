package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Findings.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that no event was attempted before its time: a delayed one before it was due, a failed one before its backoff
 * was over, unless a bulk retry has brought it forward; and that attempts are counted.
 */
public final class TimeCheck {
    /** As in the application's configuration. */
    private static final long INITIAL_DELAY_MICROS = 500_000;
    /** Of a handler that counts as down: {@code outbox.handler.defer-delay}, less a quarter at most. */
    private static final long DEFERRED_MICROS = 3_750_000;

    private final Facts facts;
    private final Outages outages;
    private final Set<String> died;
    private final Findings findings;
    private final BroughtForward broughtForward;
    private final WokenCalls woken;

    /** @param died handler and id of events that were a dead letter at some time, and may have been replayed */
    public TimeCheck(Facts facts, Outages outages, Set<String> died, Findings findings) {
        this.facts = facts;
        this.outages = outages;
        this.died = died;
        this.findings = findings;
        this.woken = new WokenCalls(outages);
        this.broughtForward = new BroughtForward(facts.operations());
    }

    public void check(List<Call> calls) {
        Map<String, Call> before = new HashMap<>();
        for (Call call : calls) {
            Event event = facts.committed().get(call.id());
            if (event != null && call.start() < event.dueAt()) {
                findings.add(Kind.EARLY, call + "\n      is due at " + event.dueAt());
            }
            String key = call.handler() + " " + call.id();
            Call last = before.get(key);
            if (isCountedBack(last, call) && woken.excuse(call)) {
                continue; // it was about to be made when its node was frozen
            }
            before.put(key, call);
            count(last, call);
            if (last != null && last.failed()) {
                long due = last.end() + backoffMicros(last);
                // a condemned one was given up at once, and an operator may replay it at any time
                if (call.start() < due && (event == null || !event.isCondemned())) {
                    early(event, last, call, due);
                }
            }
        }
    }

    /** How long the next attempt waits after this one. */
    static long backoffMicros(Call failed) {
        return INITIAL_DELAY_MICROS * (1L << (failed.attempt() - 1));
    }

    /** An attempt's number never exceeds the most, and begins at one again only if a dead letter was replayed. */
    private void count(Call last, Call call) {
        if (call.attempt() > OrderCheck.MOST_ATTEMPTS) {
            findings.add(Kind.TOO_MANY, call.toString());
        }
        if (isCountedBack(last, call)) {
            findings.add(Kind.COUNTED_BACK, call + "\n      after " + last);
        } else if (last != null && call.attempt() < last.attempt()) {
            broughtForward.startsAgain(call);
        }
    }

    /** A replay begins at one, unless that attempt was counted, and its node died or was cut off before the call. */
    private boolean isCountedBack(Call last, Call call) {
        if (last == null || call.attempt() >= last.attempt()) {
            return false;
        }
        boolean replayed = died.contains(call.handler() + " " + call.id());
        return !replayed || call.attempt() > 1 && !outages.anyNodeLost(outages.endOf(last), call.start());
    }

    /**
     * A failure that could not be stored is not counted, so the same attempt is repeated, at any time. The attempt of a
     * node that has lost its lease meanwhile is repeated as the next one, since it was counted. That of a handler that
     * has come to count as down is repeated when it is its turn to ask.
     */
    private void early(Event event, Call last, Call call, long due) {
        boolean next =
                call.attempt() == last.attempt() + 1 && !outages.lostTouch(last.node(), last.start(), call.start());
        boolean again = call.attempt() == last.attempt()
                && call.start() < last.end() + DEFERRED_MICROS
                && !outages.troubled(last, last.start() - Outages.MOMENT_MICROS, last.end() + Outages.MOMENT_MICROS);
        if (next || again) {
            boolean explained = event != null && broughtForward.explains(event, last, call);
            findings.add(
                    explained ? Kind.BROUGHT_FORWARD : next ? Kind.EARLY : Kind.AGAIN_AT_ONCE,
                    call + "\n      is due at " + due + " after " + last);
        }
    }
}
