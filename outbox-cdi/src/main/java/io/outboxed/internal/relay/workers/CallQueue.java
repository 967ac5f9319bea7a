package io.outboxed.internal.relay.workers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The calls between the loop and the workers. Handlers take turns, and none gets more than its share of the workers.
 */
public final class CallQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final LinkedHashMap<String, Deque<Call>> queued = new LinkedHashMap<>();
    private final Map<String, Integer> running = new HashMap<>();
    private final Map<String, Long> begun = new HashMap<>();
    /** Calls that run for too long. A spare worker replaces theirs, so they no longer count towards a share. */
    private final Set<Call> late = Collections.newSetFromMap(new IdentityHashMap<>());

    private final int share;
    private int size;
    private int runningCalls;
    private int idleWorkers;
    private Runnable shortage = () -> {};

    public CallQueue(int share) {
        this.share = share;
    }

    int share() {
        return share;
    }

    /** @param shortage runs in {@link #add} when more calls are queued than workers are idle */
    public void onShortage(Runnable shortage) {
        this.shortage = shortage;
    }

    public void add(Call call) {
        boolean isShort;
        lock.lock();
        try {
            queued.computeIfAbsent(call.handler(), key -> new ArrayDeque<>()).addLast(call);
            size++;
            wakeOne();
            isShort = size > idleWorkers;
        } finally {
            lock.unlock();
        }
        if (isShort) {
            shortage.run();
        }
    }

    /** Calls that may begin now, beyond those that idle workers are about to take. */
    public int unattended() {
        lock.lock();
        try {
            int startable = 0;
            for (Map.Entry<String, Deque<Call>> each : queued.entrySet()) {
                startable += Math.min(each.getValue().size(), room(each.getKey()));
            }
            return Math.max(0, startable - idleWorkers);
        } finally {
            lock.unlock();
        }
    }

    /** Whether another call of this handler would begin as soon as a worker is idle. */
    public boolean hasRoom(String handler) {
        lock.lock();
        try {
            return room(handler) > queuedOf(handler);
        } finally {
            lock.unlock();
        }
    }

    /** How many calls have begun so far of each handler that uses all of its share. */
    Map<String, Long> begunByFull() {
        lock.lock();
        try {
            Map<String, Long> full = new HashMap<>();
            running.keySet().stream()
                    .filter(handler -> room(handler) <= 0)
                    .forEach(handler -> full.put(handler, begun.get(handler)));
            return full;
        } finally {
            lock.unlock();
        }
    }

    /** Calls of this handler that have not begun. */
    int queued(String handler) {
        lock.lock();
        try {
            return queuedOf(handler);
        } finally {
            lock.unlock();
        }
    }

    private int queuedOf(String handler) {
        Deque<Call> ofHandler = queued.get(handler);
        return ofHandler == null ? 0 : ofHandler.size();
    }

    /**
     * Calls queued or running. Those that run beside another one are not counted: there are no more of them than the
     * shares of their handlers allow, and other handlers must not wait for them.
     */
    public int load() {
        lock.lock();
        try {
            return size + runningCalls;
        } finally {
            lock.unlock();
        }
    }

    /** @return the next call; null if there was none within this time */
    public Call take(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            for (Call call = pick(); ; call = pick()) {
                if (call != null || left <= 0) {
                    return call;
                }
                idleWorkers++;
                try {
                    left = changed.awaitNanos(left);
                } finally {
                    idleWorkers--;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The next call if there is one, otherwise null. */
    public Call poll() {
        lock.lock();
        try {
            return pick();
        } finally {
            lock.unlock();
        }
    }

    /**
     * This call, which a worker has taken, and further queued ones of its handler: they run beside it, and do not count
     * towards the handler's share.
     *
     * @param bytes of all of their payloads, with those that follow them in their lanes
     */
    public List<Call> takeTogether(Call first, int most, long bytes) {
        lock.lock();
        try {
            List<Call> together = new ArrayList<>(List.of(first));
            Deque<Call> sameHandler = queued.getOrDefault(first.handler(), new ArrayDeque<>());
            long left = bytes - first.bytes();
            for (Call call : sameHandler) {
                left -= call.bytes();
                if (left < 0 || together.size() >= most) {
                    break;
                }
                together.add(call);
            }
            int beside = together.size() - 1;
            begun.merge(first.handler(), (long) beside, Long::sum);
            // nothing below takes memory: an error above leaves all of them in the queue
            for (int i = 0; i < beside; i++) {
                sameHandler.pollFirst();
            }
            if (sameHandler.isEmpty()) {
                queued.remove(first.handler());
            }
            size -= beside;
            return together;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Running calls have exceeded their time, and may never end.
     *
     * @param together the first one was taken by the worker, and the others beside it
     */
    public void late(List<Call> together) {
        Call call = together.get(0);
        lock.lock();
        try {
            if (late.add(call)) {
                leave(call);
            }
        } finally {
            lock.unlock();
        }
    }

    public void ended(Call call) {
        lock.lock();
        try {
            if (!late.remove(call)) {
                leave(call);
            }
        } finally {
            lock.unlock();
        }
    }

    private void leave(Call call) {
        runningCalls--;
        running.computeIfPresent(call.handler(), (handler, count) -> count == 1 ? null : count - 1);
        wakeOne();
    }

    /** Takes back those of these calls that are still queued. */
    public List<Call> takeBack(Predicate<Call> wanted) {
        lock.lock();
        try {
            List<Call> back = new ArrayList<>();
            for (Deque<Call> ofHandler : queued.values()) {
                ofHandler.stream().filter(wanted).forEach(back::add);
                ofHandler.removeIf(wanted);
            }
            queued.values().removeIf(Deque::isEmpty);
            size -= back.size();
            return back;
        } finally {
            lock.unlock();
        }
    }

    private void wakeOne() {
        if (idleWorkers > 0 && size > 0) {
            changed.signal();
        }
    }

    private Call pick() {
        for (Iterator<Map.Entry<String, Deque<Call>>> each = queued.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, Deque<Call>> entry = each.next();
            if (room(entry.getKey()) > 0) {
                Call call = entry.getValue().pollFirst();
                each.remove();
                if (!entry.getValue().isEmpty()) {
                    queued.put(entry.getKey(), entry.getValue());
                }
                size--;
                runningCalls++;
                running.merge(call.handler(), 1, Integer::sum);
                begun.merge(call.handler(), 1L, Long::sum);
                return call;
            }
        }
        return null;
    }

    private int room(String handler) {
        return share - running.getOrDefault(handler, 0);
    }
}
