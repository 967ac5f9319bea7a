package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The handlers whose share of the workers is taken by calls that do not end. Such a handler stands still: for some time,
 * none of its calls has begun. Its deliveries wait in the database, so neither other handlers nor other event types wait
 * for it.
 */
public final class SaturatedHandlers {
    private static final long STANDSTILL = Duration.ofSeconds(2).toNanos();
    /** Calls that hang are interrupted, and the next ones may hang too: others must not wait for that each time. */
    private static final long UNTIL_RECOVERED = Duration.ofSeconds(10).toNanos();

    private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toNanos();

    private final CallQueue calls;
    /** Those that use all of their share. */
    private final Map<String, Full> full = new HashMap<>();
    /** Those of them that stand still now. */
    private final Set<String> still = new HashSet<>();
    /** When they last stood still. */
    private final Map<String, Long> saturated = new HashMap<>();

    private final Map<String, Integer> admissible = new HashMap<>();
    private long nextLook;

    /** @param since when this number was first seen */
    private record Full(long begun, long since) {}

    public SaturatedHandlers(CallQueue calls, long now) {
        this.calls = calls;
        this.nextLook = now;
    }

    /** @return whether a handler has come to a standstill since the last time */
    public boolean refresh(long now) {
        if (now - nextLook < 0) {
            return false;
        }
        nextLook = now + BETWEEN_LOOKS;
        admissible.clear();
        boolean more = refreshStill(now);
        for (String handler : Set.copyOf(saturated.keySet())) {
            if (now - saturated.get(handler) >= UNTIL_RECOVERED) {
                saturated.remove(handler);
                OutboxLog.handlerHasRoom(handler);
            }
        }
        return more;
    }

    private boolean refreshStill(long now) {
        Map<String, Long> begun = calls.begunByFull();
        full.keySet().retainAll(begun.keySet());
        begun.forEach((handler, count) ->
                full.merge(handler, new Full(count, now), (before, seen) -> before.begun() == count ? before : seen));
        still.removeIf(handler -> !standsStill(handler, now));
        boolean more = false;
        for (String handler : full.keySet()) {
            if (standsStill(handler, now)) {
                more |= still.add(handler);
                if (saturated.put(handler, now) == null) {
                    OutboxLog.handlerIsSaturated(handler, calls.share(), Duration.ofNanos(STANDSTILL));
                }
            }
        }
        return more;
    }

    private boolean standsStill(String handler, long now) {
        Full since = full.get(handler);
        return since != null && now - since.since() >= STANDSTILL;
    }

    public boolean include(String handler) {
        return saturated.containsKey(handler);
    }

    public boolean standsStill(String handler) {
        return still.contains(handler);
    }

    /**
     * Whether a waiting delivery of this handler may be queued: at a standstill, no more than its workers can take next.
     */
    public boolean admit(String handler) {
        if (!still.contains(handler)) {
            return true;
        }
        int left = admissible.computeIfAbsent(handler, key -> calls.share() - calls.queued(key));
        admissible.put(handler, left - 1);
        return left > 0;
    }
}
