package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.MessageHead;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * After the death of a shard's owner: which messages it may have been running. They are counted before they run, so that a
 * message that kills its node each time is found out. Not more of them than a node begins of a shard in some seconds: what is
 * not among them this time comes nearer with each life of a node.
 */
final class CrashSuspects {
    /** A message that was running when nodes died so often is not run again. */
    static final int FATAL_STARTS = 2;

    /** Counted by this node: a second count would take a lost claim for a dead node. */
    private final Set<UUID> counted = new HashSet<>();
    /** The starts of those that this node has asked to count: the answer may be lost, and the count stored. */
    private final Map<UUID, Integer> startsBefore = new HashMap<>();
    /** Lanes whose later rows can no longer be settled by the last owner, should it wake. */
    private final Set<Long> fenced = new HashSet<>();

    private int left;

    CrashSuspects(int left) {
        this.left = left;
    }

    static CrashSuspects none() {
        return new CrashSuspects(0);
    }

    /** Whether a next owner need not know that one has died. */
    boolean areNone() {
        return left == 0;
    }

    boolean include(MessageHead head) {
        return left > 0 && !isCounted(head);
    }

    /** Whether the rows behind this first suspect of its lane may have been called as well. */
    boolean isFirstOfLane(MessageHead head) {
        return !fenced.contains(head.lane());
    }

    /** To be called before the database is asked to count it. */
    void counting(MessageHead head) {
        startsBefore.put(head.id(), head.starts());
    }

    void counted(MessageHead head) {
        left--;
        counted.add(head.id());
        fenced.add(head.lane());
    }

    /** How often a node has died while the message ran, this node's own start not counted. */
    int deaths(MessageHead head) {
        return isCounted(head) ? head.starts() - 1 : head.starts();
    }

    private boolean isCounted(MessageHead head) {
        return counted.contains(head.id()) || head.starts() > startsBefore.getOrDefault(head.id(), Integer.MAX_VALUE);
    }
}
