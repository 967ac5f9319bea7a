package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.memory.LoadedMessages;
import io.outboxed.internal.relay.memory.OrphanedCalls;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.WaitingDelivery;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One aggregate's messages in this node's memory. At most one call of a lane runs at a time. */
final class Lane {
    /** The most rows of a lane that are taken from windows. A lane with more is read separately. */
    static final int CAPACITY = 8;

    /** Deliveries of a page that are worth its statement. To wait for more would hold up the group and its retries. */
    private static final int LONG_PAGE = 8;

    final long key;
    final int shard;
    /** With locks: how many nodes had died when this one locked the lane. */
    final int openedAfter;
    /** READY and PARKED heads in seq order; those that are being delivered come first. */
    final Deque<MessageHead> queue = new ArrayDeque<>();
    /** Pages of due deliveries by handler group, in seq order. The group whose turn it is comes first. */
    final Map<String, Deque<WaitingDelivery>> waiting = new LinkedHashMap<>();
    /** Handler groups with a row in outbox_lane: later messages queue up behind the waiting ones. */
    final Set<String> waitingGroups = new HashSet<>();
    /** Handler groups whose next page is not read while this message is in memory for another group. */
    final Map<String, MessageHead> behindAnother = new HashMap<>();
    /** All rows of the lane are PARKED and read by (lane, seq). */
    boolean parked;
    /** The lane has READY rows that are not in memory: windows skip it, and its rows are read by (lane, seq). */
    boolean isLong;

    /**
     * The turns that are under way, in seq order: each is called after the previous one has succeeded. No others start
     * before all of these have ended.
     */
    final Deque<Turn> turns = new ArrayDeque<>();

    /** The event with the highest number so far. Replays are excluded: they do not wait for the aggregate's writers. */
    private MessageHead latest;

    private boolean waitingHadItsTurn;

    Lane(long key, int shard, int openedAfter) {
        this.key = key;
        this.shard = shard;
        this.openedAfter = openedAfter;
    }

    /** @param groups the groups that have a lane row in the database; null: not queried */
    void addWaitingGroups(Set<String> groups) {
        if (groups != null) {
            waitingGroups.addAll(groups);
            parked |= waitingGroups.remove(LaneWait.PARKED);
        }
    }

    /** @param group of which nothing waits any more, or {@link LaneWait#PARKED} */
    void ends(String group) {
        if (group.equals(LaneWait.PARKED)) {
            parked = false;
        } else {
            waitingGroups.remove(group);
        }
    }

    /**
     * Another group has messages of this page. While the page is short, the next one is not read before it would be
     * longer: a group that followed closely would read a page for each call.
     *
     * @param own how many deliveries of the page come before those messages
     */
    void comesBehindAnother(String group, List<WaitingDelivery> page, int own) {
        if (own < LONG_PAGE) {
            int longer = Math.min(Math.min(2 * own, LONG_PAGE), page.size() - 1);
            behindAnother.put(group, page.get(longer).head());
        }
    }

    /** Calls that still run become orphans. May be repeated only if it threw. */
    void dropTurns(OrphanedCalls orphans) {
        for (Turn turn : turns) {
            if (turn.calling) {
                orphans.add(turn, key, shard);
                turn.cancel();
            }
        }
        turns.clear();
    }

    void dropMessages(LoadedMessages messages) {
        queue.forEach(messages::remove);
        waiting.values().forEach(page -> page.forEach(each -> messages.remove(each.head())));
        queue.clear();
        waiting.clear();
    }

    boolean hasLateCall() {
        return turns.stream().anyMatch(turn -> turn.late);
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

    /**
     * @return the event with a higher number that was seen before, if there is one. Only a row that no relay has
     *     written is judged: any other was visible before, and comes back because what this node knew of it was outdated
     */
    Optional<MessageHead> append(MessageHead head) {
        queue.addLast(head);
        if (head.onlyHandler() != null) {
            return Optional.empty();
        }
        if (latest == null || head.seq() >= latest.seq()) {
            latest = head;
            return Optional.empty();
        }
        return head.version() == 0 ? Optional.of(latest) : Optional.empty();
    }

    /** After an error: a database that has failed over may assign the same numbers again. */
    void forgetNumbers() {
        latest = null;
    }

    /** Repeats in memory what the database has done: it raised the versions of the rows behind this one. */
    void raiseVersionsBehind(MessageHead first) {
        for (int i = queue.size(); i > 0; i--) {
            MessageHead head = queue.pollFirst();
            queue.addLast(head.seq() > first.seq() ? head.withVersion(head.version() + 1) : head);
        }
    }

    /** Alternates between waiting and new messages, so that neither starves. The groups that wait take turns. */
    WaitingDelivery nextWaiting() {
        boolean takeWaiting = !waiting.isEmpty() && (queue.isEmpty() || !waitingHadItsTurn);
        waitingHadItsTurn = takeWaiting;
        return takeWaiting ? waiting.values().iterator().next().peekFirst() : null;
    }
}
