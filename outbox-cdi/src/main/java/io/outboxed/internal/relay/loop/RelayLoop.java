package io.outboxed.internal.relay.loop;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.DatabaseClock;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.failure.FailurePolicy;
import io.outboxed.internal.relay.failure.HandlerCircuits;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The algorithm. One {@link #turn()} takes in what other threads reported, reads what is due and what is new, and calls what
 * can run. Other threads reach it through its {@link Mailbox}.
 */
public final class RelayLoop {
    private static final long LONGEST_WAIT = Duration.ofSeconds(1).toNanos();
    private static final long WAIT_WHILE_STOPPING = Duration.ofMillis(10).toNanos();
    /** Without database or lease; reports wake the loop earlier. */
    private static final long WAIT_WHILE_HELD_UP = Duration.ofMillis(100).toNanos();
    /** Its owner samples the backlog for all nodes. */
    private static final int SAMPLING_SHARD = 0;
    /** What the database refuses for good is not tried again at once. */
    private static final long AFTER_REFUSAL = Duration.ofSeconds(5).toNanos();

    private final RelayDependencies parts;
    private final RelayStore store;
    private final Mailbox mailbox;
    private final LoopState state;
    private final ReadyReader readyReader;
    private final HandlerRegistry registry;
    private final DueReader dueReader;
    private final Dispatcher dispatcher;
    private final OutcomeHandler outcomes;
    private final CallQueue calls;
    private final LeaseClock leaseClock;
    private final DatabaseClock databaseClock;
    private boolean stopping;
    private boolean hadLease;
    private boolean heldUp;
    private volatile boolean holdsSampledShard;

    public RelayLoop(RelayDependencies parts, Mailbox mailbox, CallQueue calls, LeaseClock leaseClock) {
        OutboxConfig config = parts.config();
        OutboxConfig.Relay relay = config.relay();
        this.parts = parts;
        this.store = parts.store();
        this.mailbox = mailbox;
        this.calls = calls;
        this.leaseClock = leaseClock;
        this.databaseClock = new DatabaseClock(store.statistics(), parts.nanoClock());
        this.state = new LoopState(
                new Shards(),
                new Lanes(),
                new FencedWrites(store.writes(), this::fenced, this::refused, parts.nanoClock()));
        this.registry = new HandlerRegistry(store.handlers());
        HandlerCircuits circuits = new HandlerCircuits(config.handler().downAfter());
        FailurePolicy policy = new FailurePolicy(config, parts.random());
        this.dueReader = new DueReader(
                store, state, registry, relay.maxInMemory(), config.handler().deferDelay());
        TurnRunner runner = new TurnRunner(state, calls, dueReader, this::finished, parts);
        this.outcomes = new OutcomeHandler(state, runner, circuits, policy, parts, databaseClock);
        HandlerSelection selection = new HandlerSelection(parts.deliveries(), registry, circuits, policy, config);
        this.dispatcher = new Dispatcher(store, state, selection, runner, dueReader, registry, calls, relay.workers());
        PollInterval interval = new PollInterval(relay.pollMin(), relay.pollMax(), parts.nanoClock());
        this.readyReader = new ReadyReader(store, state, relay.maxInMemory(), interval, parts.meters(), now());
    }

    /**
     * What is decided is written at four points, each before what it must precede: outcomes before anything is read, so that
     * no row comes back as it was before them; parked and adopted rows before later messages of their lanes are called;
     * the counts of retries before those calls (in {@link Dispatcher#dispatch}); what needs no call at the end.
     *
     * @return how many nanoseconds may pass until the next turn if nothing is reported before
     */
    public long turn() {
        long signalled = mailbox.takeSignals();
        mailbox.drain();
        boolean reached = state.writes().flush();
        long now = now();
        handOver(now);
        readyReader.note(signalled);
        holdsSampledShard = state.shards().get(SAMPLING_SHARD) != null;
        heldUp = !reached || stopping || !hasLease();
        parts.meters().readings().turned(state.shards().size(), heldUp);
        if (heldUp) {
            return stopping ? WAIT_WHILE_STOPPING : WAIT_WHILE_HELD_UP;
        }
        dueReader.readDue(now);
        readyReader.read(now);
        state.writes().flush();
        dispatcher.dispatch(now);
        heldUp = !state.writes().flush();
        return heldUp ? WAIT_WHILE_HELD_UP : untilNextTurn();
    }

    /** After an error: everything is read again, except what has a pending report. */
    public void reset() {
        state.readAllAgain();
    }

    /** Whether the last turn could not work: no database, no lease, or the node stops. */
    public boolean isHeldUp() {
        return heldUp;
    }

    // ---- reports, on the loop's thread ----

    public void ended(Call call, Outcome outcome) {
        outcomes.ended(call, outcome, now());
    }

    /** Its call is over its time. */
    public void late(Call call) {
        if (state.lanes().isCurrent(Turn.of(call))) {
            readyReader.shed(Turn.of(call).lane);
        }
    }

    /** The successes of these are recorded. */
    public void acknowledged(List<Call> batch) {
        batch.forEach(call -> ended(call, new Outcome.Done(false)));
    }

    /** @param ownerDied what the last owner was running is suspect */
    public void gained(Lease lease, boolean ownerDied) {
        if (!state.shards().holds(lease)) {
            state.shards().leases().stream()
                    .filter(old -> old.shard() == lease.shard())
                    .forEach(this::lost);
            OutboxConfig.Relay config = parts.config().relay();
            CrashSuspects suspects =
                    ownerDied ? new CrashSuspects(ShardCursor.ROOM + config.maxInMemory() / 4) : CrashSuspects.none();
            state.shards().add(new ShardCursor(lease, suspects, config.commitLag(), now()));
        }
    }

    public void lost(Lease lease) {
        if (state.shards().holds(lease)) {
            OutboxLog.shardLost(lease);
            parts.meters().leaseLost();
            state.drop(lease);
        }
    }

    private void finished(Lane lane) {
        outcomes.takeFirst(lane);
    }

    private void fenced(Lease lease) {
        parts.meters().fencedWrite();
        lost(lease);
    }

    private void refused(Lane lane) {
        state.readAgainLater(lane, now() + AFTER_REFUSAL);
    }

    public void lostAll() {
        state.shards().leases().forEach(this::lost);
    }

    /** Gives so many shards away, those first in which nothing runs; the others as soon as no handler of theirs runs. */
    public void leave(int count, String newOwner) {
        long now = now();
        int left = count - state.shards().leaving().size();
        List<ShardCursor> staying = state.shards().all().stream()
                .filter(shard -> !shard.isLeaving() && shard.suspects.areNone())
                .sorted(Comparator.comparing(shard -> state.lanes().anyRunning(shard.lease.shard())))
                .toList();
        for (ShardCursor shard : staying) {
            if (left > 0 && shard.leave(newOwner, now)) {
                left--;
            }
        }
    }

    /** Gives the shards away in which something waits for a handler that only others have. */
    public void leaveForeign(String newOwner) {
        for (int number : registry.takeForeign()) {
            ShardCursor shard = state.shards().get(number);
            if (shard != null && !shard.isLeaving()) {
                shard.leave(newOwner, now());
            }
        }
    }

    /** Starts nothing any more; calls that have not begun are taken back. */
    public void stop() {
        stopping = true;
        for (Call first : calls.takeBack()) {
            for (Call call = first; call != null; call = call.next()) {
                Turn.of(call).calling = false;
            }
            state.lanes().drop(Turn.of(first).lane);
        }
    }

    public boolean isIdle() {
        return !state.lanes().anyRunning() && state.writes().isEmpty();
    }

    /** The leases of shards in which nothing runs, and nothing is suspect: a shard that is given back is a clean one. */
    public Collection<Lease> idleLeases() {
        return state.shards().all().stream()
                .filter(shard -> shard.suspects.areNone() && !state.lanes().anyRunning(shard.lease.shard()))
                .map(shard -> shard.lease)
                .toList();
    }

    /** Shards in which a handler still runs. */
    public int busyShards() {
        return (int) state.shards().leases().stream()
                .filter(lease -> state.lanes().anyRunning(lease.shard()))
                .count();
    }

    public List<Lease> leases() {
        return state.shards().leases();
    }

    /** Asked by other threads. */
    public boolean samples() {
        return holdsSampledShard && leaseClock.isValid();
    }

    /** Shared with other threads. */
    public DatabaseClock databaseClock() {
        return databaseClock;
    }

    public int heldShards() {
        return state.shards().size();
    }

    private boolean hasLease() {
        boolean has = leaseClock.isValid();
        if (hadLease && !has) {
            parts.meters().leaseExpired();
        }
        hadLease = has;
        return has;
    }

    private void handOver(long now) {
        for (ShardCursor shard : state.shards().leaving()) {
            if (shard.suspects.areNone() && !state.lanes().anyRunning(shard.lease.shard())) {
                boolean given = store.shards().handOver(shard.lease, shard.leavingTo());
                state.drop(shard.lease);
                if (given) {
                    OutboxLog.shardHandedOver(shard.lease, shard.leavingTo());
                }
            } else if (shard.givesUpLeaving(now)) {
                state.lanes().touchShard(shard.lease.shard());
            }
        }
    }

    private long untilNextTurn() {
        if (dueReader.isPending() || state.writes().anyToFlushNow() || readyReader.wantsMore()) {
            return 0;
        }
        long now = now();
        long untilRead = Math.min(readyReader.untilSweep(now), dueReader.untilRead(now));
        return Math.min(LONGEST_WAIT, Math.min(untilRead, state.lanes().untilRested(now)));
    }

    private long now() {
        return parts.nanoClock().getAsLong();
    }
}
