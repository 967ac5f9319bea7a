package io.outboxed.internal.relay;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.LockTableFullException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Which lanes this node may bring into memory: all of its shards, or those whose locks it has taken. Locks are taken
 * before rows are read, and given back when nothing of a lane is left in memory.
 */
public final class LaneClaims {
    private static final int MOST_AT_ONCE = 200;
    /** PostgreSQL has room for some thousands of locks, of all sessions. */
    private static final int MOST_HELD = 500;

    private static final int LEAST_ROOM = MOST_HELD / 10;

    private static final long UNTIL_TRIED_AGAIN = Duration.ofMillis(100).toNanos();
    private static final long WITHOUT_ROOM = Duration.ofSeconds(1).toNanos();
    private static final long BETWEEN_WARNINGS = Duration.ofMinutes(1).toNanos();
    private static final long LEFT_TO_NEWER = Duration.ofSeconds(5).toNanos();
    private static final long LONGEST_DEFERRED = Duration.ofSeconds(30).toNanos();
    private static final long BETWEEN_ELECTIONS = Duration.ofSeconds(2).toNanos();

    /** Null: its shards are the right to all of their lanes. */
    private final LaneLocks locks;

    private final LongSupplier nanoClock;
    private final Set<Long> held = new HashSet<>();
    /** Those of them whose rows are read again: what was in memory has been dropped. */
    private final Set<Long> dropped = new LinkedHashSet<>();
    /** Given back by {@link #release} alone, and not claimed before: a statement that fails is repeated. */
    private final Set<Long> returning = new LinkedHashSet<>();
    /** Lanes of other nodes, and when they are tried again. */
    private final Map<Long, Long> denied = new HashMap<>();
    /** Those of them that this node has given back, for lack of room. */
    private final Set<Long> givenBack = new HashSet<>();

    private final PeerSessions peers;

    /** No lane is claimed before: another node may be working on it, or the rows could not be read. */
    private long barredUntil;

    private boolean isBarred;
    /** How many lanes are asked for in one go: fewer while PostgreSQL has no room for all of their locks. */
    private int atOnce = MOST_AT_ONCE;
    /** Until then a node of a newer version counts as alive. */
    private long newerUntil;

    private boolean leads;
    private long electedAt;
    private long warnedAt;

    /** @param nodeDied called before a lane is claimed that a dead node may have been working on */
    public LaneClaims(Optional<LaneLocks> locks, Runnable nodeDied, LongSupplier nanoClock) {
        long now = nanoClock.getAsLong();
        this.locks = locks.orElse(null);
        this.peers = new PeerSessions(this.locks, nodeDied);
        this.nanoClock = nanoClock;
        this.barredUntil = now;
        this.newerUntil = now;
        this.electedAt = now - BETWEEN_ELECTIONS;
        this.warnedAt = now - BETWEEN_WARNINGS;
    }

    public boolean isPerLane() {
        return locks != null;
    }

    /** Whether rows of this lane may be brought into memory. */
    public boolean mayBringIn(long lane) {
        return locks == null || held.contains(lane) && !dropped.contains(lane);
    }

    public boolean holds(long lane) {
        return held.contains(lane);
    }

    /** Another node has this lane, or may take it first. */
    public boolean isDenied(long lane) {
        return denied.containsKey(lane);
    }

    /** Another node has this lane. */
    public boolean isForeign(long lane) {
        return isDenied(lane) && !givenBack.contains(lane);
    }

    /** Whether no lane can be claimed now, whatever is found. */
    public boolean isFull(long now) {
        return locks != null && (held.size() >= MOST_HELD || now - barredUntil < 0);
    }

    /** Whether no more lanes are looked for before some are given back. */
    public boolean lacksRoom() {
        return MOST_HELD - held.size() < LEAST_ROOM;
    }

    /** With locks: the lanes whose rows may be brought in. */
    public Set<Long> claimed() {
        Set<Long> claimed = new HashSet<>(held);
        claimed.removeAll(dropped);
        return claimed;
    }

    /** Whether reading on is worth a statement: it finds lanes that can be claimed now. */
    public boolean hasRoom(long now) {
        return untilRoom(now) == 0;
    }

    /** Only reports free up room, so there is no time at which there is some. */
    public long untilRoom(long now) {
        return lacksRoom() ? Long.MAX_VALUE : Math.max(0, barredUntil - now);
    }

    /** Whether a claim of this lane has not been tried, although there is room for one. */
    public boolean mayTry(long lane) {
        return locks != null
                && !isBarred
                && held.size() < MOST_HELD
                && !held.contains(lane)
                && !returning.contains(lane)
                && !denied.containsKey(lane);
    }

    /** There is a node of a newer version. Repeated with each of this node's heartbeats. */
    public void newerNode(long now) {
        newerUntil = now + LEFT_TO_NEWER;
    }

    /**
     * This lane waits for a handler that this node does not have: whoever comes next should be a newer node.
     *
     * @param deferred for how many nanoseconds the row is due for no node. A newer node has its chance after that.
     */
    public void leaveToNewer(long lane, long now, long deferred) {
        if (locks != null && now - newerUntil < 0) {
            denied.put(lane, now + Math.min(deferred, LONGEST_DEFERRED) + LEFT_TO_NEWER);
        }
    }

    /** Whether a node has died since this one began to claim lanes, or in the day before. */
    public boolean anyDied() {
        return peers.anyDied();
    }

    /**
     * Locks those of these lanes that are free. Their rows are read after that, from the start of each lane: what was
     * read before the lock may be done by now, and earlier rows may have been left to another node.
     *
     * @param bringIn receives the rows of the lanes that are locked, and returns lanes that are left to others
     * @return whether any is kept
     */
    public boolean lock(
            Collection<Long> lanes,
            Function<Set<Long>, List<MessageHead>> read,
            Function<List<MessageHead>, Set<Long>> bringIn) {
        Set<Long> wanted = lanes.isEmpty() ? Set.of() : wanted(lanes, nanoClock.getAsLong());
        if (wanted.isEmpty()) {
            return false;
        }
        int asked = wanted.size();
        try {
            return lockWanted(wanted, read, bringIn);
        } catch (LockTableFullException e) {
            atOnce = Math.max(1, asked / 2);
            noRoom(e);
            return false;
        }
    }

    private boolean lockWanted(
            Set<Long> wanted,
            Function<Set<Long>, List<MessageHead>> read,
            Function<List<MessageHead>, Set<Long>> bringIn) {
        Set<Long> fresh = tryLock(wanted);
        atOnce = Math.min(MOST_AT_ONCE, 2 * atOnce);
        wanted.removeAll(fresh);
        deny(wanted, UNTIL_TRIED_AGAIN);
        givenBack.removeAll(wanted);
        if (fresh.isEmpty()) {
            return false;
        }
        List<MessageHead> rows = List.of();
        boolean ours = false;
        try {
            rows = read.apply(fresh);
            // a statement after the locks were taken: no database promises to free those of a session in one step
            ours = peers.allHaveTheirLocks();
        } finally {
            if (ours) {
                held.addAll(fresh);
            } else {
                bar(UNTIL_TRIED_AGAIN);
                returning.addAll(fresh);
            }
        }
        if (!ours) {
            return false;
        }
        Set<Long> left = bringIn.apply(rows);
        giveBack(left);
        return fresh.size() > left.size();
    }

    private Set<Long> tryLock(Set<Long> lanes) {
        try {
            return locks.tryLock(lanes);
        } catch (LockTableFullException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // some may be locked, although there is no answer
            returning.addAll(lanes);
            throw e;
        }
    }

    private void giveBack(Set<Long> lanes) {
        if (!lanes.isEmpty()) {
            held.removeAll(lanes);
            returning.addAll(lanes);
            deny(lanes, UNTIL_TRIED_AGAIN);
            givenBack.addAll(lanes);
        }
    }

    /** From now on: the answer may have come long after the iteration began. */
    private void deny(Set<Long> lanes, long nanos) {
        long until = nanoClock.getAsLong() + nanos;
        lanes.forEach(lane -> denied.put(lane, until));
    }

    private void bar(long nanos) {
        isBarred = true;
        barredUntil = nanoClock.getAsLong() + nanos;
    }

    private void noRoom(LockTableFullException cause) {
        bar(WITHOUT_ROOM);
        long now = nanoClock.getAsLong();
        if (now - warnedAt >= BETWEEN_WARNINGS) {
            warnedAt = now;
            OutboxLog.lockTableFull(cause);
        }
    }

    private Set<Long> wanted(Collection<Long> lanes, long now) {
        denied.values().removeIf(until -> now - until >= 0);
        givenBack.retainAll(denied.keySet());
        isBarred = now - barredUntil < 0;
        int room = isBarred ? 0 : Math.min(atOnce, MOST_HELD - held.size());
        return lanes.stream()
                .filter(lane -> !held.contains(lane) && !returning.contains(lane) && !denied.containsKey(lane))
                .limit(Math.max(0, room))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * What was in memory of a lane has been dropped. The lane stays with this node until its rows have been read again:
     * another one would take the starts that this one has counted for deaths, and would not wait where this one has to.
     */
    public void dropped(long lane) {
        if (held.contains(lane)) {
            dropped.add(lane);
        }
    }

    /** Brings in again what has been dropped. */
    public void readDropped(Function<Set<Long>, List<MessageHead>> read, Consumer<List<MessageHead>> bringIn) {
        if (dropped.isEmpty()) {
            return;
        }
        Set<Long> next = dropped.stream().limit(MOST_AT_ONCE).collect(Collectors.toCollection(LinkedHashSet::new));
        List<MessageHead> rows = read.apply(next);
        dropped.removeAll(next);
        boolean done = false;
        try {
            bringIn.accept(rows);
            done = true;
        } finally {
            if (!done) {
                dropped.addAll(next);
            }
        }
    }

    /**
     * This node stops: gives back also what has been dropped, because nothing is read again here.
     *
     * @param isNeeded lanes that must stay until this node has left or is declared dead
     */
    public void leave(LongPredicate isNeeded) {
        dropped.removeIf(lane -> !isNeeded.test(lane));
        release(isNeeded);
    }

    /** Gives back the lanes of which nothing is left here. */
    public void release(LongPredicate isInUse) {
        held.stream()
                .filter(lane -> !dropped.contains(lane) && !isInUse.test(lane))
                .forEach(returning::add);
        if (!returning.isEmpty()) {
            held.removeAll(returning);
            locks.unlock(returning);
            returning.clear();
        }
    }

    /** The session is gone, and with it every lock. Some may have been taken in the next one already. */
    public void lostAll() {
        leads = false;
        dropped.clear();
        release(lane -> false);
    }

    /** Whether this node does what is done once for all nodes, unless a shard decides that. */
    public boolean leads(long now) {
        if (locks != null && now - electedAt >= BETWEEN_ELECTIONS) {
            electedAt = now;
            try {
                leads = locks.leads();
            } catch (LockTableFullException e) {
                noRoom(e);
            }
        }
        return locks == null || leads;
    }
}
