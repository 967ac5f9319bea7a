package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.workers.CallQueue.Progress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The handlers that have more to do than their share of the workers can. Either such a handler stands still: for some
 * time, none of its calls has begun. Or it is behind: what is queued for it would take too long. Its deliveries wait in
 * the database, so neither other handlers nor other event types wait for it.
 */
public final class SaturatedHandlers {
    private static final long STANDSTILL = Duration.ofSeconds(2).toNanos();
    /** Calls that hang are interrupted, and the next ones may hang too: others must not wait for that each time. */
    private static final long UNTIL_RECOVERED = Duration.ofSeconds(10).toNanos();
    /** What counts as a standstill until then. */
    private static final long STANDSTILL_AGAIN = Duration.ofMillis(200).toNanos();
    /** A handler is behind if what is queued takes longer than this. */
    private static final long LONGEST_QUEUE = Duration.ofSeconds(5).toNanos();
    /** After a longer one, as in an outage of the database, calls have waited for the relay and not for their handler. */
    private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

    /** Of a handler that has a free worker. */
    private static final Progress NOTHING = new Progress(0, 0);

    private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toNanos();

    private final CallQueue calls;
    private final boolean shared;
    /** Those that use all of their share. */
    private final Map<String, Full> full = new HashMap<>();
    /** Those of them that stand still now. */
    private final Set<String> still = new HashSet<>();
    /** When none of their calls had begun for {@link #STANDSTILL}. */
    private final Map<String, Long> stoodStill = new HashMap<>();
    /** When they were last found to be behind. */
    private final Map<String, Long> behind = new HashMap<>();

    private final Map<String, Integer> admissible = new HashMap<>();
    private Map<String, Progress> measured = Map.of();
    private long measuredAt;
    private long look;

    /** @param since when this number was first seen */
    private record Full(long begun, long since) {
        long lasts(long now) {
            return now - since;
        }
    }

    /** @param shared whether there are other handlers */
    public SaturatedHandlers(CallQueue calls, boolean shared, long now) {
        this.calls = calls;
        this.shared = shared;
        this.look = now - BETWEEN_LOOKS;
        this.measuredAt = now;
    }

    /** @return those that have come to a standstill, or got behind, since the last time */
    public Set<String> refresh(long now) {
        long pause = now - look;
        if (pause < BETWEEN_LOOKS) {
            return Set.of();
        }
        look = now;
        admissible.clear();
        Map<String, Progress> progress = calls.progressOfFull();
        Set<String> more = refreshStill(progress, now);
        if (pause > LONGEST_PAUSE) {
            measure(progress, now);
        } else if (shared && now - measuredAt >= LONGEST_QUEUE) {
            more.addAll(refreshBehind(progress, now));
            measure(progress, now);
        }
        forgetRecovered(now);
        return more;
    }

    private Set<String> refreshStill(Map<String, Progress> progress, long now) {
        full.keySet().retainAll(progress.keySet());
        progress.forEach((handler, seen) -> full.merge(
                handler,
                new Full(seen.begun(), now),
                (before, after) -> before.begun() == after.begun() ? before : after));
        still.removeIf(handler -> !standsStill(handler));
        Set<String> more = new HashSet<>();
        for (String handler : full.keySet()) {
            if (full.get(handler).lasts(now) >= STANDSTILL && stoodStill.put(handler, now) == null) {
                OutboxLog.handlerIsSaturated(handler, calls.share(), Duration.ofNanos(STANDSTILL));
            }
            if (standsStill(handler) && still.add(handler)) {
                more.add(handler);
            }
        }
        return more;
    }

    private boolean standsStill(String handler) {
        long enough = stoodStill.containsKey(handler) ? STANDSTILL_AGAIN : STANDSTILL;
        return full.containsKey(handler) && full.get(handler).lasts(look) >= enough;
    }

    private Set<String> refreshBehind(Map<String, Progress> progress, long now) {
        Set<String> more = new HashSet<>();
        progress.forEach((handler, after) -> {
            Progress before = measured.getOrDefault(handler, NOTHING);
            long begun = after.begun() - before.begun();
            if (Math.min(before.queued(), after.queued()) > begun && behind.put(handler, now) == null) {
                OutboxLog.handlerIsBehind(handler, after.queued(), begun, Duration.ofNanos(now - measuredAt));
                more.add(handler);
            }
        });
        return more;
    }

    private void measure(Map<String, Progress> progress, long now) {
        measured = progress;
        measuredAt = now;
    }

    private void forgetRecovered(long now) {
        Set<String> before = new HashSet<>(stoodStill.keySet());
        before.addAll(behind.keySet());
        stoodStill.values().removeIf(at -> now - at >= UNTIL_RECOVERED);
        behind.values().removeIf(at -> now - at >= UNTIL_RECOVERED);
        before.stream().filter(handler -> !contains(handler)).forEach(OutboxLog::handlerHasRoom);
    }

    public boolean contains(String handler) {
        return stoodStill.containsKey(handler) || behind.containsKey(handler);
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
