package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.memory.OrphanedCalls;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallRequester;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.WaitingDelivery;
import io.outboxed.internal.store.cluster.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One message's turn in its lane: the handlers still to be called, and the resolutions of those that failed. */
final class Turn implements CallRequester, OrphanedCalls.Orphan {
    final Lane lane;
    final Lease lease;
    /** The waiting delivery of this turn; null if it is the turn of a whole message. */
    final WaitingDelivery waiting;

    /** Handlers still to be called. */
    final Deque<String> remaining = new ArrayDeque<>();
    /** The group of each handler of the message. */
    Map<String, String> groups = Map.of();

    final List<Resolution> resolutions = new ArrayList<>();
    /** Messages behind this one that the same worker calls after it. */
    final List<Turn> followers = new ArrayList<>();

    MessageHead head;
    MessageBody body;
    /** A handler of this message has failed: the resolutions can't be selected anew. */
    boolean failed;
    /** It may have been running when its node died, and has not been counted since. */
    boolean suspect;
    /** How many nodes have died while it was running. */
    int deaths;
    /** Its call is queued or running, or the recording of its success is pending. */
    boolean calling;
    /** Its call has exceeded its time, and may never end. */
    boolean late;
    /** Its body counts towards the memory of calls. Not that of a late one, or behind it. */
    boolean counted;
    /** A decision about it is being written to the database. */
    boolean writePending;
    /** Its handler is down; this call is the probe and is no attempt. */
    boolean probe;
    /** What follows from the end of its call; kept until the earlier messages of its lane have ended. */
    Runnable decision;
    /** Read by workers: the lease is gone. */
    private volatile boolean cancelled;

    Turn(Lane lane, Lease lease, MessageHead head, WaitingDelivery waiting) {
        this.lane = lane;
        this.lease = lease;
        this.head = head;
        this.waiting = waiting;
    }

    /** The turn that requested the call. */
    static Turn of(Call call) {
        return (Turn) call.requester();
    }

    void cancel() {
        cancelled = true;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void queued() {
        calling = true;
    }

    @Override
    public void takenBack() {
        calling = false;
    }

    @Override
    public boolean isRunning() {
        return calling;
    }

    Stream<Turn> andFollowers() {
        return followers.isEmpty() ? Stream.of(this) : Stream.concat(Stream.of(this), followers.stream());
    }

    /** Its handlers have been called. What is to be stored about them may have to wait for a row that is locked. */
    void dropPayload() {
        body = body == null ? null : body.withoutPayload();
    }

    /** Whether a report about it is pending; without one, nothing would ever end it. */
    boolean isUnderWay() {
        return calling || writePending || decision != null;
    }

    /** Once its handlers are selected: none is called and nothing is decided, so its lane has to wait longer. */
    boolean isPostponed() {
        return waiting != null && remaining.isEmpty() && resolutions.isEmpty();
    }

    /** Counted attempts before the current one. */
    int attemptsSoFar() {
        return waiting == null ? 0 : waiting.attempts();
    }

    String group(String handler) {
        return waiting == null ? groups.getOrDefault(handler, handler) : waiting.group();
    }

    Delivery delivery() {
        return new Delivery(head, body, remaining.peekFirst(), attemptsSoFar() + 1, ackMode());
    }

    private AckMode ackMode() {
        if (waiting != null) {
            return AckMode.DELETE_DELIVERY;
        }
        return remaining.size() == 1 && resolutions.isEmpty() ? AckMode.DELETE_MESSAGE : AckMode.ADD_DONE_ROW;
    }
}
