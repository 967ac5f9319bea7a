package io.outboxed.faults.history;

import io.outboxed.faults.history.Outages.Outage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which calls of a node that was frozen past its lease may be late. Each of its workers may have been about to make one
 * when it was frozen, and makes it before it looks at the lease again. All others are judged like those of any node.
 */
final class WokenCalls {
    /** How long a frozen node may take to wake, and a worker of it to begin the call that it was about to make. */
    private static final long WAKING_MICROS = 3_000_000;

    /** How long a signal may take from our decision to its process. */
    private static final long SIGNAL_MICROS = 200_000;

    /** The library's default. */
    private static final int WORKERS = 8;

    private final Outages outages;
    private final Map<String, List<Outage>> frozen = new HashMap<>();
    private final Map<Outage, Map<String, Call>> excused = new HashMap<>();

    WokenCalls(Outages outages) {
        this.outages = outages;
    }

    /** Whether this call, which breaks a rule, may be one that a worker had been about to make. */
    boolean excuse(Call call) {
        return frozen.computeIfAbsent(call.node(), this::frozen).stream()
                .filter(outage ->
                        call.start() > outage.from + SIGNAL_MICROS && call.start() < outage.to + WAKING_MICROS)
                .anyMatch(outage -> excuse(call, excused.computeIfAbsent(outage, none -> new HashMap<>())));
    }

    private static boolean excuse(Call call, Map<String, Call> excused) {
        String worker = call.handler() + " " + (call.account().equals("-") ? call.id() : call.account());
        if (excused.size() < WORKERS) {
            excused.putIfAbsent(worker, call);
        }
        return excused.get(worker) == call;
    }

    List<Call> excused() {
        return excused.values().stream()
                .flatMap(calls -> calls.values().stream())
                .toList();
    }

    private List<Outage> frozen(String node) {
        return outages.of(node).stream()
                .filter(outage -> outage.why.equals(Outages.FROZEN)
                        && outage.to - outage.from > Micros.of(Outages.LEASE) * 9 / 10)
                .toList();
    }
}
