package io.outboxed.internal.relay.loop;

import io.outboxed.admin.Pause;
import io.outboxed.internal.relay.DatabaseClock;
import io.outboxed.internal.relay.HandlerRegistry;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.Pauses;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallListener;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.OverloadedHandlers;
import io.outboxed.internal.relay.workers.SaturatedHandlers;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The relay's algorithm. Each {@link #iterate()} processes what other threads have reported, reads what is due and what is
 * new, and starts the calls that can run. Other threads reach the loop through its {@link Mailbox}.
 */
public final class RelayLoop implements CallListener {
    private static final long LONGEST_WAIT = Duration.ofSeconds(1).toNanos();
    private static final long WAIT_WHILE_STOPPING = Duration.ofMillis(10).toNanos();
    /** Applies without database or lease; reports wake the loop earlier. */
    private static final long WAIT_WHILE_STALLED = Duration.ofMillis(100).toNanos();
    /** The node that owns this shard does the maintenance for all nodes. */
    private static final int MAINTENANCE_SHARD = 0;

    private final RelayDependencies dependencies;
    private final Mailbox mailbox;
    private final LoopState state;
    private final ReadyReader readyReader;
    private final HandlerRegistry registry;
    private final Pauses pauses;
    private final SaturatedHandlers saturated;
    private final OverloadedHandlers overloaded;
    private final ShardOwnership ownership;
    private final DueReader dueReader;
    private final Dispatcher dispatcher;
    private final OutcomeProcessor outcomes;
    private final TurnRunner runner;
    private final LeaseClock leaseClock;
    private final DatabaseClock databaseClock;
    private final LaneClaims claims;
    private boolean stopping;
    private boolean stalled;
    private long lossesKnown;
    /** Lanes of further shards are to be woken after a resume. */
    private boolean lanesSleep;

    private volatile boolean leadsMaintenance;

    public RelayLoop(RelayDependencies dependencies, Mailbox mailbox, CallQueue calls, LeaseClock leaseClock) {
        this.dependencies = dependencies;
        this.mailbox = mailbox;
        this.leaseClock = leaseClock;
        LoopParts parts = new LoopParts(dependencies, calls);
        this.databaseClock = parts.databaseClock;
        this.claims = parts.claims;
        this.state = parts.state;
        this.ownership = parts.ownership;
        this.registry = parts.registry;
        this.pauses = parts.pauses;
        this.dueReader = parts.dueReader;
        this.saturated = parts.saturated;
        this.overloaded = parts.overloaded;
        this.runner = parts.runner;
        this.outcomes = parts.outcomes;
        this.dispatcher = parts.dispatcher;
        this.readyReader = parts.readyReader;
    }

    /**
     * Decisions are written at three points: outcomes before anything is read, so that no row comes back in its earlier
     * state; parked and adopted rows before later messages of their lanes are called; at the end, what needs no call,
     * and the counts of retries, which are queued after that.
     *
     * @return how many nanoseconds may pass until the next one unless something is reported earlier
     */
    public long iterate() {
        long wait = step();
        // not before: a read may take long and then fail, each time
        dependencies.meters().readings().iterated(state.shards().size(), stalled);
        return wait;
    }

    private long step() {
        long signalled = mailbox.takeSignals();
        mailbox.drain();
        ownership.revertStarts(stopping);
        boolean reached = state.writes().flush();
        long losses = dependencies.store().losses().getAsLong();
        if (reached && losses != lossesKnown) {
            lossesKnown = losses;
            // the database that answers now may be a successor that lacks what was committed last
            reset();
        }
        long now = now();
        ownership.handOver(now);
        readyReader.note(signalled);
        leadsMaintenance = state.shards().get(MAINTENANCE_SHARD) != null && claims.leads(now);
        stalled = !reached || stopping || !leaseClock.isValid();
        if (stopping && reached && leaseClock.isValid()) {
            ownership.leaveLanes();
            return WAIT_WHILE_STOPPING;
        }
        if (stalled) {
            claims.release(this::isInUse);
            return stopping ? WAIT_WHILE_STOPPING : WAIT_WHILE_STALLED;
        }
        try {
            readPauses(now);
            if (pauses.coverEverything()) {
                stalled = !state.writes().flush();
                return stalled
                        ? WAIT_WHILE_STALLED
                        : Math.min(LONGEST_WAIT, state.writes().untilRetry(now));
            }
            if (saturated.refresh(now)) {
                takenBack(runner.takeBack(call -> saturated.stoodStillMicros(call.handler()) > 0));
            }
            Set<String> newlyOverloaded = overloaded.refresh(now, this::holdsUpOthers, dueReader::lacksRoom);
            if (!newlyOverloaded.isEmpty()) {
                takenBack(runner.takeBack(call -> newlyOverloaded.contains(call.handler())));
            }
            dueReader.readDue(now);
            readyReader.read(now);
            state.writes().flush();
            dispatcher.dispatch(now);
            stalled = !state.writes().flush();
            claims.release(this::isInUse);
        } catch (LeaseLostException e) {
            ownership.fenced(e.lease());
            reset();
            return 0;
        }
        return stalled ? WAIT_WHILE_STALLED : untilNext(now);
    }

    private boolean holdsUpOthers(Call queued) {
        Turn turn = Turn.of(queued);
        return dispatcher.isFull()
                || readyReader.isFull()
                || turn.waiting == null && readyReader.lacksRoomBeside(turn.lane);
    }

    private boolean isInUse(long lane) {
        return state.isInUse(lane) || dueReader.checksOn(lane);
    }

    /** Calls of what is paused now, and have not begun, are taken back: they may be many, and slow. */
    private void readPauses(long now) {
        if (pauses.refresh(now, state.shards().leases())) {
            takenBack(
                    runner.takeBack(call -> pauses.covers(call.delivery().head().type(), call.handler())));
        }
        lanesSleep = pauses.wakeLanes(this::wakeLanes);
        dependencies.meters().readings().pauses(pauses.inForce().size());
    }

    /** @return false: not now */
    private boolean wakeLanes(Lease lease) {
        if (!state.shards().holds(lease)) {
            return true;
        }
        boolean woken = state.writes().wake(lease);
        if (woken) {
            state.shards().mayWait(lease.shard());
        }
        return woken;
    }

    /** After an error: everything is read again, except what has a pending report. */
    public void reset() {
        state.readAllAgain();
        readyReader.reset();
    }

    /** Whether the last iteration could not work: no database, no lease, or the node is stopping. */
    public boolean isStalled() {
        return stalled;
    }

    /** Whether the last iteration has left lanes of further shards to be woken after a resume. */
    public boolean wakesLanes() {
        return lanesSleep;
    }

    // ---- reports, on the loop's thread ----

    @Override
    public void ended(Call call, Outcome outcome) {
        outcomes.ended(call, outcome, now());
    }

    @Override
    public void receiverWorks(Call call) {
        outcomes.receiverWorks(call);
    }

    /** The call has exceeded its time. */
    public void late(Call call) {
        Turn turn = Turn.of(call);
        runner.late(turn);
        if (state.lanes().isCurrent(turn)) {
            turn.late = true;
            readyReader.shed(turn.lane);
        }
    }

    /** The successes of these calls are recorded, or will never be. */
    public void acknowledged(List<Call> batch, Outcome outcome) {
        runner.callsEnded(batch);
        mailbox.each(batch.iterator(), call -> ended(call, outcome));
    }

    /** @param ownerDied the messages that the last owner was running are suspects */
    public void gained(Lease lease, boolean ownerDied) {
        ownership.gained(lease, ownerDied, now());
    }

    /** With locks: another node has left or died, perhaps without having noticed a resume. */
    public void nodeGone() {
        ownership.nodeGone();
    }

    /** With locks: there is a node of a newer version. */
    public void newerNode() {
        claims.newerNode(now());
    }

    public void lost(Lease lease) {
        ownership.lost(lease);
    }

    /** After an error that may have lost what runs here: other nodes notice that the session is gone. */
    public void abandonLocks() {
        dependencies.store().locks().ifPresent(LaneLocks::abandon);
    }

    public void lostAll() {
        ownership.lostAll();
    }

    /**
     * Hands over this many shards. Those in which nothing runs come first; the others follow as soon as none of their
     * handlers runs.
     */
    public void requestHandOver(int count, String newOwner) {
        ownership.requestHandOver(count, newOwner, now());
    }

    /** Hands over the shards in which something waits for a handler that a newer deployment may have. */
    public void requestHandOverToNewer(String newOwner) {
        ownership.requestHandOver(registry.takeLackingHandlers(), newOwner, now());
    }

    /** Stops starting calls; takes back those that have not begun. */
    public void stop() {
        stopping = true;
        takenBack(runner.stop());
    }

    private void takenBack(List<Call> series) {
        mailbox.each(
                series.iterator(),
                first -> mailbox.each(
                        Stream.iterate(first, Objects::nonNull, Call::next).iterator(),
                        call -> ended(call, call == first ? new Outcome.NotBegun() : new Outcome.NotReached())));
    }

    public boolean isIdle() {
        return !state.lanes().anyRunning() && state.writes().isEmpty() && !ownership.anyStartsToRevert();
    }

    /**
     * The leases of shards in which nothing runs and nothing is suspect: the next owner treats a released shard as
     * clean.
     */
    public Collection<Lease> idleLeases() {
        return ownership.idle();
    }

    /** Shards in which a handler still runs, or a start is not reverted. */
    public int busyShards() {
        return ownership.busy();
    }

    public List<Lease> leases() {
        return state.shards().leases();
    }

    /** Called by other threads. */
    public boolean leadsMaintenance() {
        return leadsMaintenance && leaseClock.isValid();
    }

    /** What operators have paused, as this node knows it. Called by other threads. */
    public List<Pause> pauses() {
        return pauses.inForce();
    }

    /** Used by other threads too. */
    public DatabaseClock databaseClock() {
        return databaseClock;
    }

    /**
     * Leases that the loop has handed over, or been refused under, since they were last forgotten. A failover may take
     * such an end back: then this node owns the shard again, and no other one will take it. Used by other threads.
     */
    public Set<Lease> dropped() {
        return ownership.dropped();
    }

    /** Used by other threads. */
    public void forgetDropped(Set<Lease> known) {
        ownership.forgetDropped(known);
    }

    public int heldShards() {
        return state.shards().size();
    }

    private long untilNext(long dispatchedAt) {
        if (lanesSleep || dueReader.isPending() || state.writes().anyToFlushNow() || readyReader.wantsMore()) {
            return 0;
        }
        long now = now();
        long untilRead = Math.min(readyReader.untilRead(now), dueReader.untilRead(now));
        long untilWork = Math.min(
                state.lanes().untilRested(dispatchedAt, now), state.writes().untilRetry(now));
        return Math.min(LONGEST_WAIT, Math.min(untilRead, untilWork));
    }

    private long now() {
        return dependencies.nanoClock().getAsLong();
    }
}
