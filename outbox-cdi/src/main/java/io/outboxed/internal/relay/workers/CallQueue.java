package io.outboxed.internal.relay.workers;

import io.outboxed.internal.store.HandlerKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
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
    private final Map<String, OfHandler> handlers = new HashMap<>();
    /** Calls that run for too long. A spare worker replaces theirs, so they no longer count towards a share. */
    private final Set<Call> late = Collections.newSetFromMap(new IdentityHashMap<>());

    private final int share;
    private int size;
    private int runningCalls;
    private long turns;
    private int idleWorkers;
    private Runnable shortage = () -> {};

    public CallQueue(int share) {
        this.share = share;
    }

    /** A handler gets half of the workers, unless it is the only one. */
    public static CallQueue between(Set<HandlerKey> handlers, int workers) {
        return new CallQueue(isShared(handlers) ? Math.max(1, workers / 2) : workers);
    }

    /** Whether there is another handler that would wait for one that takes all workers. */
    public static boolean isShared(Set<HandlerKey> handlers) {
        return handlers.stream().map(HandlerKey::handler).distinct().count() > 1;
    }

    /** It stays: a handler that is called once is called again. */
    private static final class OfHandler {
        /** Not an ArrayDeque, which loses all that it has if there is no memory to grow. */
        private Deque<Call> queued = new LinkedList<>();

        private int running;
        private long begun;
        /** The least of those with calls comes next. */
        private long turn;
    }

    /**
     * @param begun calls of a handler that have begun so far
     * @param queued those that have not
     */
    record Progress(long begun, int queued) {}

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
            OfHandler of = of(call.handler());
            of.queued.addLast(call);
            // nothing below takes memory: an error above leaves the call out of the queue
            for (Call each = call; each != null; each = each.next()) {
                each.requester().queued();
            }
            if (of.queued.size() == 1) {
                of.turn = ++turns;
            }
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
            for (OfHandler each : handlers.values()) {
                startable += Math.min(each.queued.size(), room(each));
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
            OfHandler of = of(handler);
            return room(of) > of.queued.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many calls have begun so far of each handler that uses all of its share. */
    Map<String, Long> begunByFull() {
        lock.lock();
        try {
            Map<String, Long> full = new HashMap<>();
            handlers.forEach((handler, of) -> {
                if (room(of) <= 0) {
                    full.put(handler, of.begun);
                }
            });
            return full;
        } finally {
            lock.unlock();
        }
    }

    Progress progress(String handler) {
        lock.lock();
        try {
            OfHandler of = of(handler);
            return new Progress(of.begun, of.queued.size());
        } finally {
            lock.unlock();
        }
    }

    /** Calls of this handler that have not begun. */
    int queued(String handler) {
        lock.lock();
        try {
            return of(handler).queued.size();
        } finally {
            lock.unlock();
        }
    }

    boolean anyQueued(String handler, Predicate<Call> which) {
        lock.lock();
        try {
            return of(handler).queued.stream().anyMatch(which);
        } finally {
            lock.unlock();
        }
    }

    private OfHandler of(String handler) {
        return handlers.computeIfAbsent(handler, key -> new OfHandler());
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
            OfHandler sameHandler = of(first.handler());
            long left = bytes - first.bytes();
            for (Call call : sameHandler.queued) {
                left -= call.bytes();
                if (left < 0 || together.size() >= most) {
                    break;
                }
                together.add(call);
            }
            int beside = together.size() - 1;
            // nothing below takes memory: an error above leaves all of them in the queue
            for (int i = 0; i < beside; i++) {
                sameHandler.queued.pollFirst();
            }
            sameHandler.begun += beside;
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
                freeSlot(call);
            }
        } finally {
            lock.unlock();
        }
    }

    public void ended(Call call) {
        lock.lock();
        try {
            if (!late.remove(call)) {
                freeSlot(call);
            }
        } finally {
            lock.unlock();
        }
    }

    private void freeSlot(Call call) {
        runningCalls--;
        of(call.handler()).running--;
        wakeOne();
    }

    /** Takes back those of these calls that are still queued. */
    public List<Call> takeBack(Predicate<Call> wanted) {
        lock.lock();
        try {
            List<Call> back = new ArrayList<>();
            List<OfHandler> all = List.copyOf(handlers.values());
            List<Deque<Call>> left = new ArrayList<>(all.size());
            for (OfHandler each : all) {
                Deque<Call> stay = new LinkedList<>();
                each.queued.forEach(call -> (wanted.test(call) ? back : stay).add(call));
                left.add(stay);
            }
            // nothing below takes memory: an error above leaves all of them in the queue
            for (int i = 0; i < all.size(); i++) {
                all.get(i).queued = left.get(i);
            }
            for (int i = 0; i < back.size(); i++) {
                for (Call each = back.get(i); each != null; each = each.next()) {
                    each.requester().takenBack();
                }
            }
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

    /** Changes nothing before what takes memory: an error in between would lose the call, or its place for ever. */
    private Call pick() {
        OfHandler next = null;
        for (OfHandler each : handlers.values()) {
            if (!each.queued.isEmpty() && room(each) > 0 && (next == null || each.turn < next.turn)) {
                next = each;
            }
        }
        if (next == null) {
            return null;
        }
        next.turn = ++turns;
        next.running++;
        next.begun++;
        size--;
        runningCalls++;
        return next.queued.pollFirst();
    }

    private int room(OfHandler handler) {
        return share - handler.running;
    }
}
