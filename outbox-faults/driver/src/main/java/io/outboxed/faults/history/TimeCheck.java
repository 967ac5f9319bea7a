package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Findings.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that no event was attempted before its time: a delayed one before it was due, a failed one before its backoff
 * was over, unless a bulk retry has brought it forward.
 */
public final class TimeCheck {
    /** As in the application's configuration. */
    private static final long INITIAL_DELAY_MICROS = 500_000;

    private final Facts facts;
    private final Outages outages;
    private final Findings findings;
    private final BroughtForward broughtForward;

    public TimeCheck(Facts facts, Outages outages, Findings findings) {
        this.facts = facts;
        this.outages = outages;
        this.findings = findings;
        this.broughtForward = new BroughtForward(facts.operations());
    }

    public void check(List<Call> calls) {
        Map<String, Call> before = new HashMap<>();
        for (Call call : calls) {
            Event event = facts.committed().get(call.id());
            if (event != null && call.start() < event.dueAt()) {
                findings.add(Kind.EARLY, call + "\n      is due at " + event.dueAt());
            }
            Call last = before.put(call.handler() + " " + call.id(), call);
            if (last != null && call.attempt() < last.attempt()) {
                broughtForward.startsAgain(call);
            }
            if (last != null && last.failed()) {
                long due = last.end() + INITIAL_DELAY_MICROS * (1L << (last.attempt() - 1));
                // a condemned one was given up at once, and an operator may replay it at any time
                if (call.start() < due && (event == null || !event.isCondemned())) {
                    early(event, last, call, due);
                }
            }
        }
    }

    /**
     * A failure that could not be stored is not counted, so the same attempt is repeated, at any time. The attempt of a
     * node that has lost its lease meanwhile is repeated as the next one, since it was counted.
     */
    private void early(Event event, Call last, Call call, long due) {
        boolean next =
                call.attempt() == last.attempt() + 1 && !outages.lostTouch(last.node(), last.start(), call.start());
        boolean again = call.attempt() == last.attempt()
                && !outages.troubled(last, last.start() - Outages.MOMENT_MICROS, last.end() + Outages.MOMENT_MICROS);
        if (next || again) {
            boolean explained = event != null && broughtForward.explains(event, last, call);
            findings.add(
                    explained ? Kind.BROUGHT_FORWARD : next ? Kind.EARLY : Kind.AGAIN_AT_ONCE,
                    call + "\n      is due at " + due + " after " + last);
        }
    }
}
