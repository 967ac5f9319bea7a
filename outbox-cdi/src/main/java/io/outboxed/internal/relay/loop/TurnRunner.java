package io.outboxed.internal.relay.loop;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.DeliveryMeters;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Pauses;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.Resolution;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Takes a message's turn to its next step: the call of its next handler, or its end. */
final class TurnRunner {
    private final LoopState state;
    private final CallQueue calls;
    private final DueReader dueReader;
    private final Pauses pauses;
    private final HandlerSelection selection;
    private final HandlerInvoker invoker;
    private final Notifications notifications;
    private final OutboxMeters meters;
    private long bytes;
    private boolean stopping;

    TurnRunner(
            LoopState state,
            CallQueue calls,
            DueReader dueReader,
            Pauses pauses,
            HandlerSelection selection,
            RelayDependencies dependencies) {
        this.state = state;
        this.calls = calls;
        this.dueReader = dueReader;
        this.pauses = pauses;
        this.selection = selection;
        this.invoker = dependencies.invoker();
        this.notifications = dependencies.notifications();
        this.meters = dependencies.meters();
    }

    /** Bytes of the payloads of calls that are queued or run, except those that are late. */
    long bytes() {
        return bytes;
    }

    /** @return the calls that have not begun */
    List<Call> stop() {
        stopping = true;
        return takeBack(call -> true);
    }

    /** @return those of these calls that have not begun */
    List<Call> takeBack(Predicate<Call> wanted) {
        List<Call> back = calls.takeBack(wanted);
        for (int i = 0; i < back.size(); i++) {
            for (Call each = back.get(i); each != null; each = each.next()) {
                uncount(Turn.of(each));
            }
        }
        return back;
    }

    /** Calls the turn's next handler and then that of its followers, or ends the turn. */
    void next(Turn turn) {
        if (turn.waiting == null && turn.followers.isEmpty()) {
            skipWithheld(turn);
        }
        if (turn.remaining.isEmpty()) {
            resolve(turn);
            return;
        }
        if (stopping || pauses.covers(turn.head.type(), turn.remaining.peekFirst())) {
            revertUnbegun(turn);
            return;
        }
        preferRoom(turn);
        Call call = null;
        for (int i = turn.followers.size() - 1; i >= 0; i--) {
            call = call(turn.followers.get(i), call);
        }
        call = call(turn, call);
        calls.add(call);
        turn.andFollowers().forEach(this::count);
    }

    /** Handlers that have been paused, or have no worker left, since earlier ones of the message ran. */
    private void skipWithheld(Turn turn) {
        turn.remaining.removeIf(handler ->
                selection.withheld(turn, handler).map(turn.resolutions::add).orElse(false));
    }

    /**
     * No handler of the message waits behind one whose share of the workers is taken, perhaps by calls that hang. A
     * forwarder remains the last one. Those of a suspect keep their order: if its node dies, the first one without a
     * success is to blame.
     */
    private void preferRoom(Turn turn) {
        if (!turn.suspect && turn.remaining.size() > 1 && !calls.hasRoom(turn.remaining.peekFirst())) {
            turn.remaining.stream()
                    .filter(handler -> mayGoFirst(turn, handler))
                    .findFirst()
                    .ifPresent(handler -> {
                        turn.remaining.remove(handler);
                        turn.remaining.addFirst(handler);
                    });
        }
    }

    private boolean mayGoFirst(Turn turn, String handler) {
        return calls.hasRoom(handler)
                && !invoker.mode(new HandlerKey(turn.head.type(), handler)).isForwarder();
    }

    /**
     * A retry is counted before its call, at the end of this iteration or after an outage, so that one that kills its
     * node each time comes to an end. For a forwarder this is no attempt: its broker may be down, and its calls last.
     * Nor is it one for a probe: its handler is down.
     */
    void countRetry(Turn turn) {
        int starts = turn.head.starts();
        FencedWrite count = countsAsStart(turn)
                ? new FencedWrite.UpdateStarts(turn.head, starts, starts + 1)
                : new FencedWrite.CountAttempt(turn.head, turn.waiting.handler(), turn.waiting.attempts() + 1);
        write(turn, count, () -> {
            if (state.lanes().isCurrent(turn)) {
                next(turn);
            }
        });
    }

    private FencedWrite reverted(Turn turn) {
        int starts = turn.head.starts();
        return countsAsStart(turn)
                ? new FencedWrite.UpdateStarts(turn.head, starts + 1, starts)
                : new FencedWrite.CountAttempt(turn.head, turn.waiting.handler(), turn.waiting.attempts());
    }

    private boolean countsAsStart(Turn turn) {
        return turn.probe
                || invoker.mode(new HandlerKey(turn.head.type(), turn.waiting.handler()))
                        .isForwarder();
    }

    private static Call call(Turn turn, Call next) {
        return new Call(turn, turn.delivery(), turn.lease, next);
    }

    private void count(Turn turn) {
        bytes += turn.head.size();
        turn.counted = true;
    }

    private void uncount(Turn turn) {
        if (turn.counted) {
            bytes -= turn.head.size();
            turn.counted = false;
        }
    }

    /**
     * The call was not begun: its message is read again, and an attempt that was counted in advance is reverted. What
     * follows from earlier handlers of the message is stored first, or they would be called again at once.
     */
    void revertUnbegun(Turn turn) {
        if (turn.failed) {
            withholdRemaining(turn);
            resolve(turn);
            return;
        }
        if (turn.waiting == null) {
            state.readAgain(turn.lane);
            return;
        }
        write(turn, reverted(turn), () -> {
            if (state.lanes().isCurrent(turn)) {
                state.lanes().dropPage(turn.lane, turn.waiting.group());
                state.lanes().putBack(turn);
            }
        });
    }

    /** Without a resolution, they would pass for successful. */
    void withholdRemaining(Turn turn) {
        turn.remaining.forEach(handler -> turn.resolutions.add(HandlerSelection.notBegun(turn, handler)));
        turn.remaining.clear();
    }

    /**
     * A call has exceeded its time, and may never end: other lanes must not wait for its memory, and that of the calls
     * behind it.
     */
    void late(Turn turn) {
        Stream.concat(turn.andFollowers(), turn.lane.turns.stream())
                .filter(each -> each.calling)
                .forEach(this::uncount);
    }

    /** Takes no memory: an error in what follows must not leave any of them without an end. */
    void callsEnded(List<Call> calls) {
        for (int i = 0; i < calls.size(); i++) {
            callEnded(Turn.of(calls.get(i)));
        }
    }

    /** The call is over, however it ended. */
    void callEnded(Turn turn) {
        uncount(turn);
        turn.calling = false;
        turn.late = false;
    }

    private void resolve(Turn turn) {
        turn.dropPayload();
        write(turn, new FencedWrite.Resolve(turn.head, List.copyOf(turn.resolutions)), () -> resolved(turn));
    }

    private void write(Turn turn, FencedWrite write, Runnable stored) {
        turn.writePending = true;
        state.writes().add(turn.lease, write, () -> {
            turn.writePending = false;
            stored.run();
        });
    }

    private void resolved(Turn turn) {
        turn.head = turn.head.answered(turn.head.version() + 1);
        state.addWaitingGroups(
                turn.lane,
                turn.resolutions.stream()
                        .filter(resolution -> !(resolution instanceof Resolution.Dead))
                        .map(Resolution::group)
                        .toList());
        proceed(turn);
        turn.resolutions.stream()
                .filter(resolution -> !(resolution instanceof Resolution.Retry))
                .forEach(resolution -> deadLettered(turn, resolution));
    }

    private void proceed(Turn turn) {
        if (!state.lanes().isCurrent(turn)) {
            // what was read of this lane in the meantime is older than the write
            Optional.ofNullable(state.lanes().get(turn.lane.key)).ifPresent(state::readAgain);
            return;
        }
        boolean waits = turn.waiting != null && !(turn.resolutions.get(0) instanceof Resolution.Dead);
        finish(turn, !waits);
        if (waits) {
            state.lanes().dropPage(turn.lane, turn.waiting.group());
            state.lanes().touch(turn.lane);
        }
    }

    private void deadLettered(Turn turn, Resolution resolution) {
        meters.deliveries(turn.head.type(), resolution.handler()).ended(DeliveryMeters.AttemptResult.DEAD);
        OutboxLog.deadLetter(notifications.logExecutor(), turn.head, turn.body, resolution);
        notifications.deadLettered(turn.head.id(), resolution.handler());
    }

    /**
     * The message leaves memory.
     *
     * @param continues false: the rest of its page has to wait until the database reports it as due
     */
    void finish(Turn turn, boolean continues) {
        Lane lane = turn.lane;
        state.lanes().finish(turn);
        Optional.ofNullable(state.shards().get(lane.shard)).ifPresent(shard -> shard.suspects.ended(turn.head));
        if (continues && turn.waiting != null && !state.lanes().hasPage(lane, turn.waiting.group())) {
            dueReader.recheck(new LaneWait(lane.key, lane.shard, turn.waiting.group()));
        }
        if (lane.parked && lane.queue.isEmpty()) {
            dueReader.recheck(new LaneWait(lane.key, lane.shard, LaneWait.PARKED));
        }
        decideFirst(lane);
    }

    /**
     * Decides in the order of the lane: a failure after the successes before it are recorded. Otherwise, after a crash,
     * an event could be delivered again although a later one has already been decided.
     */
    void decideFirst(Lane lane) {
        Turn turn = lane.turns.peekFirst();
        if (turn != null && turn.decision != null) {
            Runnable decision = turn.decision;
            turn.decision = null;
            decision.run();
        }
    }
}
