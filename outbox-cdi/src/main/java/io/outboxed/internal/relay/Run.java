package io.outboxed.internal.relay;

import io.outboxed.internal.store.Body;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.Settlement;
import io.outboxed.internal.store.Verdict;
import io.outboxed.internal.store.Waiting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One message's turn in its lane: the handlers still to call, and what those that failed get. Owned by the loop. */
final class Run {
    final Lane lane;
    final Lease lease;
    /** The waiting delivery that this run is about; null if it is about a whole message. */
    final Waiting waiting;

    /** Handlers still to call. */
    final Deque<String> open = new ArrayDeque<>();
    /** The group of each handler of the message. */
    Map<String, String> groups = Map.of();

    final List<Verdict> verdicts = new ArrayList<>();
    /** Messages behind this one whose calls go with this one's to the same worker. */
    final List<Run> followers = new ArrayList<>();

    Head head;
    Body body;
    /** It may have been running when its node died, and has not been counted since. */
    boolean suspect;
    /** So many nodes have died while it ran. */
    int deaths;
    /** A call or the recording of its success is under way. */
    boolean calling;
    /** A decision about it is on its way to the database. */
    boolean deciding;
    /** Its handler is down; this run finds out whether it is back, and does not count. */
    boolean probe;
    /** Its lane has to wait longer. */
    boolean postponed;
    /** How its call ended, while an earlier message of its lane has not. */
    Ended ended;
    /** Read by workers: the lease is gone, a call that has not begun must not begin. */
    volatile boolean cancelled;

    Run(Lane lane, Lease lease, Head head, Waiting waiting) {
        this.lane = lane;
        this.lease = lease;
        this.head = head;
        this.waiting = waiting;
    }

    record Ended(Call call, Outcome outcome, long at) {}

    Stream<Run> andFollowers() {
        return Stream.concat(Stream.of(this), followers.stream());
    }

    /** Somebody will report on it: else nothing ever ends it. */
    boolean isUnderWay() {
        return calling || deciding || ended != null;
    }

    /** Tries before the one at hand that were counted. */
    int attemptsSoFar() {
        return waiting == null ? 0 : waiting.attempts();
    }

    String group(String handler) {
        return waiting == null ? groups.getOrDefault(handler, handler) : waiting.group();
    }

    Delivery delivery() {
        return new Delivery(head, body, open.peekFirst(), attemptsSoFar() + 1, settlement());
    }

    private Settlement settlement() {
        if (waiting != null) {
            return waiting.last() ? Settlement.LAST_WAITING : Settlement.WAITING;
        }
        return open.size() == 1 && verdicts.isEmpty() ? Settlement.LAST : Settlement.DONE;
    }
}
