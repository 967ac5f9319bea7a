package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The handlers whose share of the workers is taken by calls that do not end: for some time, none of them has begun. The
 * deliveries of such a handler wait in the database, so neither other handlers nor other event types wait for it.
 */
public final class SaturatedHandlers {
    private static final long AFTER = Duration.ofSeconds(2).toNanos();
    private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toNanos();

    private final CallQueue calls;
    private final Map<String, Full> full = new HashMap<>();
    private final Set<String> saturated = new HashSet<>();
    private final Map<String, Integer> admissible = new HashMap<>();
    private long nextLook = Long.MIN_VALUE;

    private record Full(long begun, long since) {}

    public SaturatedHandlers(CallQueue calls) {
        this.calls = calls;
    }

    /** @return whether there is another one since the last time */
    public boolean refresh(long now) {
        if (nextLook != Long.MIN_VALUE && now - nextLook < 0) {
            return false;
        }
        nextLook = now + BETWEEN_LOOKS;
        admissible.clear();
        removeRecovered();
        Map<String, Long> begun = calls.begunByFull();
        full.keySet().retainAll(begun.keySet());
        boolean more = false;
        for (Map.Entry<String, Long> each : begun.entrySet()) {
            Full since = full.get(each.getKey());
            if (since == null || since.begun() != each.getValue()) {
                full.put(each.getKey(), new Full(each.getValue(), now));
            } else if (now - since.since() >= AFTER && saturated.add(each.getKey())) {
                more = true;
                OutboxLog.handlerIsSaturated(each.getKey(), calls.share(), Duration.ofNanos(AFTER));
            }
        }
        return more;
    }

    /** A handler that works its backlog off stays saturated until none of it is queued: it would be again soon. */
    private void removeRecovered() {
        for (String handler : Set.copyOf(saturated)) {
            if (calls.hasRoom(handler) && calls.queued(handler) == 0) {
                saturated.remove(handler);
                OutboxLog.handlerHasRoom(handler);
            }
        }
    }

    public boolean include(String handler) {
        return saturated.contains(handler);
    }

    /** Whether a waiting delivery of this handler may be queued: no more than its workers can take next. */
    public boolean admit(String handler) {
        if (!saturated.contains(handler)) {
            return true;
        }
        int left = admissible.computeIfAbsent(handler, key -> calls.share() - calls.queued(key));
        admissible.put(handler, left - 1);
        return left > 0;
    }
}
