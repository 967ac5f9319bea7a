package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.workers.CallQueue.Progress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The handlers that keep ending their calls, but whose queued calls wait for too long: what is queued takes the memory
 * that new events of all types share. The deliveries of such a handler wait in the database.
 */
public final class OverloadedHandlers {
    private static final long LONGEST_QUEUED = Duration.ofSeconds(5).toNanos();
    /** As many of the lanes that wait for an overloaded one are in memory for each of its workers. */
    private static final int LANES_PER_WORKER = 8;

    private static final long UNTIL_RECOVERED = Duration.ofSeconds(10).toNanos();
    /** A sixteenth of the calls is queued then, and less at each look: calls that wait until the next are too many. */
    private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toNanos();
    /** In a longer one, calls have waited for the relay or its database. */
    private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

    private final CallQueue calls;
    /** Of each handler that can be overloaded. */
    private final Map<String, Set<String>> groups;

    private final Map<String, LastCall> lastCalls = new HashMap<>();
    /** When a call had last waited for too long. */
    private final Map<String, Long> overloaded = new HashMap<>();

    private long look;

    /**
     * The call that was the last one in its queue.
     *
     * @param begunBefore how many calls of its handler had begun at that time
     * @param number how many have begun when this one has
     * @param since when that was
     */
    private record LastCall(long begunBefore, long number, long since) {
        boolean isQueued(Progress of) {
            return of.begun() < number && number <= of.begun() + of.queued();
        }

        LastCall later(long pause) {
            return new LastCall(begunBefore, number, since + pause);
        }
    }

    /** @param groups of each handler that can be overloaded */
    public OverloadedHandlers(CallQueue calls, Map<String, Set<String>> groups, long now) {
        this.calls = calls;
        this.groups = groups;
        this.look = now;
    }

    /**
     * @param holdsUp whether events wait for room in the part of memory that this queued call has
     * @param lacksRoom whether more of a handler group is due in the database than has room in memory
     * @return those that have become overloaded since the last time
     */
    public Set<String> refresh(long now, Predicate<Call> holdsUp, Predicate<String> lacksRoom) {
        long pause = now - look;
        if (pause < BETWEEN_LOOKS) {
            return Set.of();
        }
        look = now;
        if (pause > LONGEST_PAUSE) {
            lastCalls.replaceAll((handler, last) -> last.later(pause));
            overloaded.replaceAll((handler, at) -> at + pause);
        }
        Set<String> more = new HashSet<>();
        for (String handler : groups.keySet()) {
            boolean waits = hasWaitedTooLong(handler, calls.progress(handler), now);
            if (waits && isTooMuch(handler, holdsUp, lacksRoom) && overloaded.put(handler, now) == null) {
                OutboxLog.handlerIsOverloaded(handler, calls.queued(handler), Duration.ofNanos(LONGEST_QUEUED));
                more.add(handler);
            }
        }
        for (String handler : Set.copyOf(overloaded.keySet())) {
            if (now - overloaded.get(handler) >= UNTIL_RECOVERED) {
                overloaded.remove(handler);
                OutboxLog.handlerHasCaughtUp(handler);
            }
        }
        return more;
    }

    private boolean isTooMuch(String handler, Predicate<Call> holdsUp, Predicate<String> lacksRoom) {
        return contains(handler) ? groups.get(handler).stream().anyMatch(lacksRoom) : calls.anyQueued(handler, holdsUp);
    }

    private boolean hasWaitedTooLong(String handler, Progress of, long now) {
        LastCall last = lastCalls.get(handler);
        if (last == null || !last.isQueued(of)) {
            lastCalls.put(handler, new LastCall(of.begun(), of.begun() + of.queued(), now));
            return false;
        }
        long longest = contains(handler) ? BETWEEN_LOOKS : LONGEST_QUEUED;
        // one of which no call begins stands still, see SaturatedHandlers
        return now - last.since() >= longest && of.begun() > last.begunBefore();
    }

    public boolean contains(String handler) {
        return overloaded.containsKey(handler);
    }

    /**
     * How many lanes may be in memory because they wait for this group. A delivery counts as an attempt once it is queued,
     * even if its node is killed before it is called, and its payload is in memory.
     */
    public int mostLanes(String group) {
        boolean few = overloaded.keySet().stream()
                .anyMatch(handler -> groups.get(handler).contains(group));
        return few ? LANES_PER_WORKER * calls.share() : Integer.MAX_VALUE;
    }
}
