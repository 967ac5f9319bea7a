package io.outboxed.internal.relay;

import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The messages of a shard that its last owner may have been running when it died. They are counted before they run, so
 * that a message that kills its node each time is found. Their number is limited to what a node starts in a shard
 * within a few seconds: a message beyond the limit moves closer to the front with each restart of a node.
 */
public final class CrashSuspects {
    /** A message that was running this many times when its node died is not run again. */
    public static final int FATAL_STARTS = 2;
    /**
     * The same for a forwarder, and for a handler that is down: their calls may last as long as an outage does, so several
     * deaths may find the same innocent message running.
     */
    public static final int FATAL_STARTS_IN_AN_OUTAGE = 10;

    /** The rows counted by this node. Counting again would mistake a lost claim for a dead node. */
    private final Set<MessageKey> counted = new HashSet<>();
    /**
     * The starts of the rows that this node has asked to count, as read before: the answer may be lost although the count
     * is stored.
     */
    private final Map<MessageKey, Integer> startsBefore = new HashMap<>();
    /**
     * The rows that this node has asked to count and that are not done, as read before. Whoever takes such a lane next
     * would mistake this node's start for a death.
     */
    private final Map<MessageKey, MessageHead> open = new HashMap<>();
    /**
     * The rows that this node has asked to count, and that were locked by a transaction of the last owner. They are first,
     * so they remain suspect whatever comes behind them; by the lane.
     */
    private final Map<MessageKey, Long> locked = new HashMap<>();
    /**
     * The rows that are not started yet, because others run. They are first, so they remain suspect however many are
     * started meanwhile; by the lane.
     */
    private final Map<MessageKey, Long> waiting = new HashMap<>();
    /** Lanes whose later rows the last owner can no longer acknowledge, should it resume. */
    private final Set<Long> fenced = new HashSet<>();

    private int left;
    /** With locks: how many nodes had died when these messages became suspects. */
    private int since;

    public CrashSuspects(int left) {
        this.left = left;
    }

    public static CrashSuspects none() {
        return new CrashSuspects(0);
    }

    /** Whether the next owner does not need to know that one has died. */
    public boolean isExhausted() {
        return left == 0 && waiting.isEmpty();
    }

    /** Nothing else is suspect. What this node has counted and not ended remains to be reverted. */
    public void exhaust() {
        left = 0;
        counted.retainAll(open.keySet());
        startsBefore.keySet().retainAll(open.keySet());
        locked.clear();
        waiting.clear();
        fenced.clear();
    }

    /**
     * Another node has died. What this node has counted stays counted.
     *
     * @param deaths how many have died; a lane that was locked here before the first of them can't be suspect
     */
    public void add(int more, int deaths) {
        since = left == 0 ? deaths : since;
        left = Math.max(left, more);
        fenced.clear();
    }

    /** @param openedAfter how many nodes had died when the message's lane was locked here */
    public boolean contains(MessageHead head, int openedAfter) {
        return (openedAfter >= since || remains(head)) && contains(head);
    }

    public boolean contains(MessageHead head) {
        return (left > 0 || remains(head)) && !isCounted(head);
    }

    private boolean remains(MessageHead head) {
        return locked.containsKey(head.key()) || waiting.containsKey(head.key());
    }

    /** Its turn comes later: too many suspects run already. */
    public void waits(MessageHead head) {
        waiting.put(head.key(), head.lane());
    }

    /** Whether this is the first suspect of its lane; then the rows behind it may have been called as well. */
    public boolean isFirstOfLane(MessageHead head) {
        return !fenced.contains(head.lane());
    }

    /**
     * To be called before the database is asked to count this start.
     *
     * @return false if it was asked before, and the answer was lost
     */
    public boolean counting(MessageHead head) {
        startsBefore.put(head.key(), head.starts());
        return open.put(head.key(), head) == null;
    }

    public void counted(MessageHead head) {
        left = Math.max(0, left - 1);
        locked.remove(head.key());
        waiting.remove(head.key());
        counted.add(head.key());
    }

    /** @param asked whether nothing can have counted it before */
    public void locked(MessageHead head, boolean asked) {
        locked.put(head.key(), head.lane());
        waiting.remove(head.key());
        if (asked) {
            open.remove(head.key());
        }
    }

    /** The message is decided, waits with an attempt that counts, or its start was reverted. */
    public void ended(MessageHead head) {
        open.remove(head.key());
        locked.remove(head.key());
        waiting.remove(head.key());
    }

    /** These are the first rows of these lanes: what was counted before and is not among them is gone. */
    public void found(Set<Long> lanes, List<MessageHead> rows) {
        if (!open.isEmpty() || !locked.isEmpty() || !waiting.isEmpty()) {
            Set<MessageKey> present = rows.stream().map(MessageHead::key).collect(Collectors.toSet());
            open.values().removeIf(head -> lanes.contains(head.lane()) && !present.contains(head.key()));
            Predicate<Map.Entry<MessageKey, Long>> isGone =
                    each -> lanes.contains(each.getValue()) && !present.contains(each.getKey());
            locked.entrySet().removeIf(isGone);
            waiting.entrySet().removeIf(isGone);
        }
    }

    /** The lanes of those that were locked, as far as is known. */
    public Set<Long> lockedLanes() {
        return Set.copyOf(locked.values());
    }

    public boolean anyOpen() {
        return !open.isEmpty();
    }

    /** As read before they were counted. */
    public List<MessageHead> open() {
        return List.copyOf(open.values());
    }

    public boolean hasOpenIn(long lane) {
        return open.values().stream().anyMatch(head -> head.lane() == lane);
    }

    /** Whether a suspect of this lane could not be counted so far: another node might not know that it is one. */
    public boolean remainsIn(long lane) {
        return locked.containsValue(lane) || waiting.containsValue(lane);
    }

    /** The last owner can no longer acknowledge the rows behind this one. */
    public void fenced(MessageHead head) {
        fenced.add(head.lane());
    }

    /** How many nodes have died while the message was running; this node's own start does not count. */
    public int deaths(MessageHead head) {
        return isCounted(head) ? head.starts() - 1 : head.starts();
    }

    private boolean isCounted(MessageHead head) {
        MessageKey key = head.key();
        return counted.contains(key) || head.starts() > startsBefore.getOrDefault(key, Integer.MAX_VALUE);
    }
}
