package io.outboxed.faults.history;

import io.outboxed.faults.history.Findings.Kind;
import io.outboxed.faults.history.Spans.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that an outside handler, also one of events without an order, gets an event again only if a fault kept its
 * success from being stored: a fault of the node that succeeded, or of the database, at the time of that call.
 */
public final class RepeatCheck {
    /** A success is stored within milliseconds; two busy cores may need longer. */
    private static final long STORED_WITHIN_MICROS = 2_000_000;

    private final Facts facts;
    private final Outages outages;
    private final WokenCalls woken;
    private final Set<String> died;
    private final Findings findings;

    /** @param died handler and id of events that were a dead letter at some time, and are delivered again on purpose */
    RepeatCheck(Facts facts, Outages outages, WokenCalls woken, Set<String> died, Findings findings) {
        this.facts = facts;
        this.outages = outages;
        this.woken = woken;
        this.died = died;
        this.findings = findings;
    }

    /** @param calls ordered by their start */
    void check(List<Call> calls) {
        Map<String, Call> succeeded = new HashMap<>();
        for (Call call : calls) {
            String key = call.handler() + " " + call.id();
            if (call.handler().equals("Ledger")
                    || died.contains(key)
                    || !facts.committed().containsKey(call.id())) {
                continue;
            }
            Call success = succeeded.get(key);
            if (success != null) {
                if (!isExplained(success) && woken.excuse(call)) {
                    continue;
                }
                findings.add(Kind.REPEATED_OUTSIDE, call.toString());
                explain(call, success);
            }
            if (call.succeeded()) {
                succeeded.put(key, call);
            }
        }
    }

    private void explain(Call repeat, Call success) {
        if (isExplained(success)) {
            return;
        }
        long to = Math.min(repeat.start(), success.end() + Micros.of(Outages.LEASE) + Outages.MOMENT_MICROS);
        boolean later = outages.troubled(success, success.end(), to);
        findings.add(
                later ? Kind.REPEATED_LONG_BEFORE_FAULT : Kind.REPEATED_WITHOUT_FAULT,
                repeat + "\n      after " + success);
    }

    private boolean isExplained(Call success) {
        return isExplained(outages, success);
    }

    /** Whether a fault may have kept what came of the call from being stored. */
    static boolean isExplained(Outages outages, Call success) {
        return outages.troubled(success, success.start() - Outages.MOMENT_MICROS, success.end() + STORED_WITHIN_MICROS);
    }

    /** Whether a fault of its node may have. */
    static boolean isExplainedByNode(Outages outages, Call call) {
        return outages.troubled(call.node(), call.start() - Outages.MOMENT_MICROS, call.end() + STORED_WITHIN_MICROS);
    }

    /** How much of this time a repeated success of a node would be explained in, on average of the nodes. */
    public static double explainable(Outages outages, List<String> nodes, long from, long to) {
        Spans run = Spans.of(List.of(new Span(from, to)));
        Spans database = around(outages.of(Outages.DATABASE));
        return nodes.stream()
                        .mapToDouble(node ->
                                around(outages.of(node)).or(database).and(run).length())
                        .average()
                        .orElse(0)
                / (to - from);
    }

    private static Spans around(List<Outages.Outage> outages) {
        List<Span> spans = new ArrayList<>();
        for (Outages.Outage outage : outages) {
            if (outage.isOrderly()) {
                continue;
            }
            long end = outage.to == Long.MAX_VALUE ? outage.to : outage.to + Outages.MOMENT_MICROS;
            spans.add(new Span(outage.from - STORED_WITHIN_MICROS, end));
        }
        return Spans.of(spans);
    }
}
