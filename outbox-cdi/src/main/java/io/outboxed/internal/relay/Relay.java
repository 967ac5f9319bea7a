package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The algorithm. One {@link #turn()} takes in what others reported, reads what is due and what is new, starts what can run
 * and decides what has to be decided. Owned by the loop; the other threads' door is the inbox.
 */
final class Relay {
    private static final long LONGEST_WAIT = Duration.ofSeconds(1).toNanos();
    private static final long WAIT_WHILE_STOPPING = Duration.ofMillis(10).toNanos();
    /** Without database or lease; reports wake the loop earlier. */
    private static final long WAIT_WHILE_HELD_UP = Duration.ofMillis(100).toNanos();
    /** What the database refuses for good is not tried again at once. */
    private static final long AFTER_REFUSAL = Duration.ofSeconds(5).toNanos();

    private final RelayParts parts;
    private final RelayStore store;
    private final Inbox inbox;
    private final Memory memory;
    private final Reader reader;
    private final KnownHandlers known;
    private final Waits waits;
    private final Starter starter;
    private final Results results;
    private final CallQueue calls;
    private final LeaseClock leaseClock;
    private final Pace pace;
    private final DatabaseClock databaseClock;
    private boolean stopping;
    private boolean hadLease;
    private boolean heldUp;
    private volatile boolean holdsSampledShard;

    Relay(RelayParts parts, Inbox inbox, CallQueue calls, LeaseClock leaseClock) {
        this.parts = parts;
        this.store = parts.store();
        this.inbox = inbox;
        this.calls = calls;
        this.leaseClock = leaseClock;
        this.databaseClock = new DatabaseClock(store, parts.nanoClock());
        var config = parts.config();
        this.pace = new Pace(config.relay().pollMin(), config.relay().pollMax(), parts.nanoClock());
        this.memory = new Memory(
                new Shards(), new Lanes(), new Decisions(store, this::fenced, this::refused, parts.nanoClock()));
        KnownHandlers known = new KnownHandlers(store);
        HandlerHealth health = new HandlerHealth(config.handler().downAfter());
        Plan plan = new Plan(parts.deliveries(), known, health, config);
        this.known = known;
        this.waits = new Waits(
                store,
                memory,
                known,
                config.relay().inFlight(),
                config.handler().deferDelay());
        this.results = new Results(memory, calls, health, plan, waits, parts, databaseClock);
        this.starter = new Starter(
                store,
                memory,
                plan,
                results,
                waits,
                known,
                calls,
                config.relay().workers());
        this.reader = new Reader(store, memory, config.relay().inFlight(), pace, parts.meters(), now());
    }

    /** @return how many nanoseconds may pass until the next turn if nothing is reported before */
    long turn() {
        long signalled = inbox.takeSignals();
        inbox.carryOut();
        boolean reached = memory.decisions().carryOut();
        long now = now();
        handOver(now);
        heldUp = !reached || stopping || !hasLease();
        parts.meters().readings().turned(memory.shards().size(), heldUp);
        holdsSampledShard = memory.shards().get(BacklogSampler.SHARD) != null;
        if (heldUp) {
            reader.note(signalled);
            return stopping ? WAIT_WHILE_STOPPING : WAIT_WHILE_HELD_UP;
        }
        reader.note(signalled);
        waits.readDue(now);
        reader.read(now);
        memory.decisions().carryOut();
        starter.start(now);
        heldUp = !memory.decisions().carryOut();
        return heldUp ? WAIT_WHILE_HELD_UP : untilNextTurn();
    }

    /** After an error: everything is read again but for what somebody will report on. */
    void reset() {
        memory.readAllAgain();
    }

    /** Whether the last turn could not work: no database, no lease, or the node stops. */
    boolean isHeldUp() {
        return heldUp;
    }

    // ---- reports, on the loop's thread ----

    void ended(Call call, Outcome outcome) {
        results.ended(call, outcome, now());
    }

    /** Its call is over its time. */
    void late(Call call) {
        if (memory.lanes().isCurrent(call.run())) {
            reader.shed(call.run().lane);
        }
    }

    /** The successes of these are recorded. */
    void settled(List<Call> batch) {
        batch.forEach(call -> ended(call, new Outcome.Done(false)));
    }

    /** @param ownerDied what the last owner was running is suspect */
    void gained(Lease lease, boolean ownerDied) {
        if (!memory.shards().holds(lease)) {
            memory.shards().leases().stream()
                    .filter(old -> old.shard() == lease.shard())
                    .forEach(this::lost);
            OutboxConfig.Relay config = parts.config().relay();
            Suspects suspects = ownerDied ? new Suspects(HeldShard.ROOM + config.inFlight() / 4) : Suspects.none();
            memory.shards().add(new HeldShard(lease, suspects, config.commitLag(), now()));
        }
    }

    void lost(Lease lease) {
        if (memory.shards().holds(lease)) {
            OutboxLog.shardLost(lease);
            parts.meters().leaseLost();
            memory.drop(lease);
        }
    }

    private void fenced(Lease lease) {
        parts.meters().fencedWrite();
        lost(lease);
    }

    private void refused(Lane lane) {
        memory.readAgainLater(lane, now() + AFTER_REFUSAL);
    }

    void lostAll() {
        memory.shards().leases().forEach(this::lost);
    }

    /** Gives so many shards away, those first in which nothing runs; the others as soon as no handler of theirs runs. */
    void leave(int count, String newOwner) {
        long now = now();
        int left = count - memory.shards().leaving().size();
        List<HeldShard> staying = memory.shards().all().stream()
                .filter(shard -> !shard.isLeaving() && shard.suspects.areNone())
                .sorted(Comparator.comparing(shard -> memory.lanes().anyRunning(shard.lease.shard())))
                .toList();
        for (HeldShard shard : staying) {
            if (left > 0 && shard.leave(newOwner, now)) {
                left--;
            }
        }
    }

    /** Gives the shards away in which something waits for a handler that only others have. */
    void leaveForeign(String newOwner) {
        for (int number : known.takeForeign()) {
            HeldShard shard = memory.shards().get(number);
            if (shard != null && !shard.isLeaving()) {
                shard.leave(newOwner, now());
            }
        }
    }

    /** Starts nothing any more; calls that have not begun are taken back. */
    void stop() {
        stopping = true;
        for (Call first : calls.takeBack()) {
            for (Call call = first; call != null; call = call.next()) {
                call.run().calling = false;
            }
            memory.lanes().drop(first.run().lane);
        }
    }

    boolean isIdle() {
        return !memory.lanes().anyRunning() && memory.decisions().isEmpty();
    }

    /** The leases of shards in which nothing runs, and nothing is suspect: a shard that is given back is a clean one. */
    Collection<Lease> idleLeases() {
        return memory.shards().all().stream()
                .filter(shard -> shard.suspects.areNone() && !memory.lanes().anyRunning(shard.lease.shard()))
                .map(shard -> shard.lease)
                .toList();
    }

    /** Shards in which a handler still runs. */
    int busyShards() {
        return (int) memory.shards().leases().stream()
                .filter(lease -> memory.lanes().anyRunning(lease.shard()))
                .count();
    }

    List<Lease> leases() {
        return memory.shards().leases();
    }

    /** Asked by other threads. */
    boolean samples() {
        return holdsSampledShard && leaseClock.isValid();
    }

    /** Shared with other threads. */
    DatabaseClock databaseClock() {
        return databaseClock;
    }

    int heldShards() {
        return memory.shards().size();
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
        for (HeldShard shard : memory.shards().leaving()) {
            if (shard.suspects.areNone() && !memory.lanes().anyRunning(shard.lease.shard())) {
                boolean given = store.handOver(shard.lease, shard.leavingTo());
                memory.drop(shard.lease);
                if (given) {
                    OutboxLog.shardHandedOver(shard.lease, shard.leavingTo());
                }
            } else if (shard.givesUpLeaving(now)) {
                memory.lanes().touchShard(shard.lease.shard());
            }
        }
    }

    private long untilNextTurn() {
        if (waits.isPending() || memory.decisions().anyToCarryOutNow() || reader.wantsMore()) {
            return 0;
        }
        long now = now();
        long untilRead = Math.min(reader.untilSweep(now), waits.untilRead(now));
        return Math.min(LONGEST_WAIT, Math.min(untilRead, memory.lanes().untilRested(now)));
    }

    private long now() {
        return parts.nanoClock().getAsLong();
    }
}
