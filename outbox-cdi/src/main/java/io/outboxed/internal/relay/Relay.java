package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The algorithm. One {@link #turn()} takes in what others reported, reads what is due and what is new, starts what can run
 * and decides what has to be decided. Owned by the loop; the other threads' door is the inbox.
 */
final class Relay {
    private static final long LONGEST_WAIT = Duration.ofSeconds(1).toNanos();
    private static final long WAIT_WHILE_STOPPING = Duration.ofMillis(10).toNanos();
    /** Without database or lease; reports wake the loop earlier. */
    private static final long WAIT_WHILE_HELD_UP = Duration.ofMillis(100).toNanos();

    private final RelayParts parts;
    private final RelayStore store;
    private final Inbox inbox;
    private final Memory memory;
    private final Reader reader;
    private final Waits waits;
    private final Starter starter;
    private final Results results;
    private final CallQueue calls;
    private final LeaseClock leaseClock;
    private final Pace pace;
    private final DatabaseClock databaseClock;
    private boolean stopping;
    private boolean hadLease;
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
        this.memory = new Memory(new Shards(), new Lanes(), new Decisions(store, this::fenced, parts.nanoClock()));
        KnownHandlers known = new KnownHandlers(store);
        HandlerHealth health = new HandlerHealth(config.handler().downAfter());
        Plan plan = new Plan(parts.deliveries(), known, health, config);
        this.waits = new Waits(
                store,
                memory,
                parts.deliveries(),
                known,
                config.relay().inFlight(),
                config.handler().deferDelay());
        this.results = new Results(memory, calls, health, plan, waits, parts, databaseClock);
        this.starter = new Starter(
                store, memory, plan, results, known, calls, config.relay().workers());
        this.reader = new Reader(store, memory, config.relay().inFlight(), pace, parts.meters(), now());
    }

    /** @return how many nanoseconds may pass until the next turn if nothing is reported before */
    long turn() {
        long signalled = inbox.takeSignals();
        inbox.carryOut();
        boolean reached = memory.decisions().carryOut();
        handOver();
        boolean heldUp = !reached || stopping || !hasLease();
        parts.meters().readings().turned(memory.shards().size(), heldUp);
        holdsSampledShard = memory.shards().get(BacklogSampler.SHARD) != null;
        if (heldUp) {
            reader.note(signalled);
            return stopping ? WAIT_WHILE_STOPPING : WAIT_WHILE_HELD_UP;
        }
        long now = now();
        waits.readDue(now);
        reader.read(signalled, now);
        memory.decisions().carryOut();
        starter.start(now);
        return memory.decisions().carryOut() ? untilNextTurn() : WAIT_WHILE_HELD_UP;
    }

    /** After an error: forgets everything but the shards; calls that run end as orphans, all rows are read again. */
    void reset() {
        for (Lease lease : memory.shards().leases()) {
            memory.drop(lease);
            memory.shards().add(new HeldShard(lease, 0, now()));
        }
    }

    // ---- reports, on the loop's thread ----

    void ended(Call call, Outcome outcome) {
        results.ended(call, outcome, now());
    }

    /** The successes of these are recorded. */
    void settled(List<Call> batch) {
        batch.forEach(call -> ended(call, new Outcome.Done(false)));
    }

    /** @param suspectUpTo the highest number in the shard if its last owner died: what it was running is suspect */
    void gained(Lease lease, long suspectUpTo) {
        if (!memory.shards().holds(lease)) {
            memory.shards().leases().stream()
                    .filter(old -> old.shard() == lease.shard())
                    .forEach(this::lost);
            memory.shards().add(new HeldShard(lease, suspectUpTo, now()));
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

    void lostAll() {
        memory.shards().leases().forEach(this::lost);
    }

    /** Gives shards away as soon as no handler of theirs runs. */
    void leave(Map<Integer, String> shards) {
        shards.forEach((number, newOwner) -> {
            HeldShard shard = memory.shards().get(number);
            if (shard != null) {
                shard.leavingTo = newOwner;
            }
        });
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

    Set<Integer> takeForeign() {
        return waits.takeForeign();
    }

    /** The leases of shards in which nothing runs. */
    Collection<Lease> idleLeases() {
        return memory.shards().leases().stream()
                .filter(lease -> !memory.lanes().anyRunning(lease.shard()))
                .toList();
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

    private void handOver() {
        for (HeldShard shard : memory.shards().leaving()) {
            if (!memory.lanes().anyRunning(shard.lease.shard())) {
                boolean given = store.handOver(shard.lease, shard.leavingTo);
                memory.drop(shard.lease);
                if (given) {
                    OutboxLog.shardHandedOver(shard.lease, shard.leavingTo);
                }
            }
        }
    }

    private long untilNextTurn() {
        if (waits.isPending() || memory.decisions().anyToCarryOutNow() || reader.wantsMore()) {
            return 0;
        }
        long now = now();
        return Math.min(LONGEST_WAIT, Math.min(reader.untilSweep(now), waits.untilRead(now)));
    }

    private long now() {
        return parts.nanoClock().getAsLong();
    }
}
