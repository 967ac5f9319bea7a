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
    /** What counts as a standstill until then. */
    private static final long STANDSTILL_AGAIN = Duration.ofMillis(200).toNanos();

    private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toNanos();

    private final CallQueue calls;
    /** Those that use all of their share. */
    private final Map<String, Full> full = new HashMap<>();
    /** Those of them that stand still now. */
    private final Set<String> still = new HashSet<>();
    /** When none of their calls had begun for {@link #STANDSTILL}. */
    private final Map<String, Long> saturated = new HashMap<>();

    private final Map<String, Integer> admissible = new HashMap<>();
    private long look;

    /** @param since when this number was first seen */
    private record Full(long begun, long since) {
        long lasts(long now) {
            return now - since;
        }
    }

    public SaturatedHandlers(CallQueue calls, long now) {
        this.calls = calls;
        this.look = now - BETWEEN_LOOKS;
    }

    /** @return whether a handler has come to a standstill since the last time */
    public boolean refresh(long now) {
        if (now - look < BETWEEN_LOOKS) {
            return false;
        }
        look = now;
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
        still.removeIf(handler -> !standsStill(handler));
        boolean more = false;
        for (String handler : full.keySet()) {
            if (full.get(handler).lasts(now) >= STANDSTILL && saturated.put(handler, now) == null) {
                OutboxLog.handlerIsSaturated(handler, calls.share(), Duration.ofNanos(STANDSTILL));
            }
            more |= standsStill(handler) && still.add(handler);
        }
        return more;
    }

    private boolean standsStill(String handler) {
        long enough = saturated.containsKey(handler) ? STANDSTILL_AGAIN : STANDSTILL;
        return full.containsKey(handler) && full.get(handler).lasts(look) >= enough;
    }

    public boolean contains(String handler) {
        return saturated.containsKey(handler);
    }

    /** For how long it has stood still; 0 if it does not. A delivery that waits for it is worth a look after that time. */
    public long stoodStillMicros(String handler) {
        return still.contains(handler) ? full.get(handler).lasts(look) / 1000 : 0;
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
