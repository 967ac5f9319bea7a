package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The handlers whose share of the workers is taken by calls that do not end: for some time, none of them has begun. The
 * deliveries of such a handler wait in the database, so neither other handlers nor other event types wait for it.
 */
public final class SaturatedHandlers {
    private static final long AFTER = Duration.ofSeconds(2).toNanos();
    /** A handler that stands still for this long is not about to recover. */
    private static final long STILL_STALLED = Duration.ofMillis(500).toNanos();
    /** Calls that hang are interrupted, and the next ones may hang too: it must not take two seconds each time. */
    private static final long UNTIL_RECOVERED = Duration.ofSeconds(10).toNanos();

    private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toNanos();

    private final CallQueue calls;
    /** Those that use all of their share. */
    private final Map<String, Full> full = new HashMap<>();
    /** When they last stood still. */
    private final Map<String, Long> saturated = new HashMap<>();

    private final Map<String, Integer> admissible = new HashMap<>();
    private long nextLook;

    /** @param since when the last of its calls began, or one ended and left room */
    private record Full(long begun, long since) {}

    public SaturatedHandlers(CallQueue calls, long now) {
        this.calls = calls;
        this.nextLook = now;
    }

    /** @return whether there is another one since the last time */
    public boolean refresh(long now) {
        if (now - nextLook < 0) {
            return false;
        }
        nextLook = now + BETWEEN_LOOKS;
        admissible.clear();
        Map<String, Long> begun = calls.begunByFull();
        full.keySet().retainAll(begun.keySet());
        boolean more = false;
        for (Map.Entry<String, Long> each : begun.entrySet()) {
            String handler = each.getKey();
            Full before = full.get(handler);
            if (before == null || before.begun() != each.getValue()) {
                full.put(handler, new Full(each.getValue(), now));
                continue;
            }
            long stalled = now - before.since();
            if (stalled >= (saturated.containsKey(handler) ? STILL_STALLED : AFTER)) {
                more |= stalls(handler, now);
            }
        }
        for (String handler : Set.copyOf(saturated.keySet())) {
            if (now - saturated.get(handler) >= UNTIL_RECOVERED) {
                saturated.remove(handler);
                OutboxLog.handlerHasRoom(handler);
            }
        }
        return more;
    }

    private boolean stalls(String handler, long now) {
        boolean isNew = saturated.put(handler, now) == null;
        if (isNew) {
            OutboxLog.handlerIsSaturated(handler, calls.share(), Duration.ofNanos(AFTER));
        }
        return isNew;
    }

    public boolean include(String handler) {
        return saturated.containsKey(handler);
    }

    /** Whether it has a free worker at this moment. */
    public boolean hasRoom(String handler) {
        return calls.hasRoom(handler);
    }

    /** Whether a waiting delivery of this handler may be queued: no more than its workers can take next. */
    public boolean admit(String handler) {
        if (!saturated.containsKey(handler)) {
            return true;
        }
        int left = admissible.computeIfAbsent(handler, key -> calls.share() - calls.queued(key));
        admissible.put(handler, left - 1);
        return left > 0;
    }
}
