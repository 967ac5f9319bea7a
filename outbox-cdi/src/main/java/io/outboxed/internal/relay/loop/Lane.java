package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.PendingDelivery;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** One aggregate's messages in this node's memory. At most one call at a time. */
final class Lane {
    /** More rows of one lane than these are not taken from windows: the lane is read by itself. */
    static final int CAPACITY = 8;

    final long key;
    final int shard;
    /** READY and PARKED heads in seq order; the first ones are those under way, if any. */
    final Deque<MessageHead> queue = new ArrayDeque<>();
    /** Pages of due deliveries by handler group, in seq order. */
    final Map<String, Deque<PendingDelivery>> waiting = new LinkedHashMap<>();
    /** Handler groups with a row in outbox_lane: later messages queue up behind what waits. */
    final Set<String> blocked = new HashSet<>();
    /** All rows of the lane are PARKED and read by (lane, seq). */
    boolean whole;
    /** READY rows that are not in memory: windows leave the lane out, its rows are read by (lane, seq). */
    boolean isLong;

    /** Under way, in seq order: each is called after the one before has succeeded. No more start until all have ended. */
    final Deque<Turn> turns = new ArrayDeque<>();

    private long lastSeq;
    private boolean waitingHadItsTurn;

    Lane(long key, int shard) {
        this.key = key;
        this.shard = shard;
    }

    /** @param groups those with a lane row, as the database says; null: nothing was asked */
    void blockedBy(Set<String> groups) {
        if (groups != null) {
            blocked.addAll(groups);
            whole |= blocked.remove(LaneWait.WHOLE);
        }
    }

    boolean isFull() {
        return queue.size() >= CAPACITY;
    }

    boolean isRunnable() {
        return turns.isEmpty() && !(queue.isEmpty() && waiting.isEmpty());
    }

    boolean isEmpty() {
        return turns.isEmpty() && queue.isEmpty() && waiting.isEmpty() && !isLong;
    }

    /** @return false if a message with a higher number was seen before: the writers were not serialised */
    boolean append(MessageHead head) {
        queue.addLast(head);
        boolean inOrder = head.seq() > lastSeq;
        lastSeq = Math.max(lastSeq, head.seq());
        return inOrder;
    }

    /** As the database has done with the rows behind this one. */
    void raiseVersionsBehind(MessageHead first) {
        for (int i = queue.size(); i > 0; i--) {
            MessageHead head = queue.pollFirst();
            queue.addLast(head.seq() > first.seq() ? head.withVersion(head.version() + 1) : head);
        }
    }

    /** Alternates between what waits and what is new, so that neither starves. */
    PendingDelivery nextWaiting() {
        boolean takeWaiting = !waiting.isEmpty() && (queue.isEmpty() || !waitingHadItsTurn);
        waitingHadItsTurn = takeWaiting;
        return takeWaiting ? waiting.values().iterator().next().peekFirst() : null;
    }
}
