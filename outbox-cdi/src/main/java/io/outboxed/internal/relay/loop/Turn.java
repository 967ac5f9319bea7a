package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.Cancellation;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.PendingDelivery;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.cluster.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One message's turn in its lane: the handlers still to call, and what those that failed get. */
final class Turn implements Cancellation {
    final Lane lane;
    final Lease lease;
    /** The pending delivery that this turn is about; null if it is about a whole message. */
    final PendingDelivery waiting;

    /** Handlers still to call. */
    final Deque<String> open = new ArrayDeque<>();
    /** The group of each handler of the message. */
    Map<String, String> groups = Map.of();

    final List<Resolution> resolutions = new ArrayList<>();
    /** Messages behind this one whose calls go with this one's to the same worker. */
    final List<Turn> followers = new ArrayList<>();

    MessageHead head;
    MessageBody body;
    /** It may have been running when its node died, and has not been counted since. */
    boolean suspect;
    /** So many nodes have died while it ran. */
    int deaths;
    /** A call or the recording of its success is under way. */
    boolean calling;
    /** What was decided about it is on its way to the database. */
    boolean writePending;
    /** Its handler is down; this call probes it and does not count. */
    boolean probe;
    /** Its lane has to wait longer. */
    boolean postponed;
    /** How its call ended, while an earlier message of its lane has not. */
    Ended ended;
    /** Read by workers: the lease is gone. */
    private volatile boolean cancelled;

    Turn(Lane lane, Lease lease, MessageHead head, PendingDelivery waiting) {
        this.lane = lane;
        this.lease = lease;
        this.head = head;
        this.waiting = waiting;
    }

    /** The turn that asked for the call. */
    static Turn of(Call call) {
        return (Turn) call.cancellation();
    }

    void cancel() {
        cancelled = true;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    record Ended(Call call, Outcome outcome, long at) {}

    Stream<Turn> andFollowers() {
        return Stream.concat(Stream.of(this), followers.stream());
    }

    /** A report on it is pending; otherwise nothing ever ends it. */
    boolean isUnderWay() {
        return calling || writePending || ended != null;
    }

    /** Tries before the one at hand that were counted. */
    int attemptsSoFar() {
        return waiting == null ? 0 : waiting.attempts();
    }

    String group(String handler) {
        return waiting == null ? groups.getOrDefault(handler, handler) : waiting.group();
    }

    Delivery delivery() {
        return new Delivery(head, body, open.peekFirst(), attemptsSoFar() + 1, ackMode());
    }

    private AckMode ackMode() {
        if (waiting != null) {
            return waiting.last() ? AckMode.LAST_WAITING : AckMode.WAITING;
        }
        return open.size() == 1 && resolutions.isEmpty() ? AckMode.LAST : AckMode.DONE;
    }
}
