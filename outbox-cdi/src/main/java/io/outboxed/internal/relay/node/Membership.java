package io.outboxed.internal.relay.node;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * This node among the others: joins, sends heartbeats, declares nodes dead and leaves. Runs on its own thread, so that
 * handlers can't delay it.
 */
public final class Membership {
    private static final Duration LAST_BEAT = Duration.ofMillis(300);
    private static final Set<Integer> ALL =
            IntStream.range(0, LaneHash.SHARDS).boxed().collect(Collectors.toUnmodifiableSet());

    private final RelayDependencies dependencies;
    private final RelayStore store;
    private final Mailbox mailbox;
    private final RelayLoop relay;
    private final LeaseClock leaseClock;
    private final long registryVersion;
    private final Random random;
    private final FailureDetector detector;
    private final ShardAssignment assignment;
    private final ReentrantLock oneAtATime = new ReentrantLock();
    /** The nodes that counted as alive in the last round, and this one. */
    private Set<String> others = Set.of();
    /** The name of a join whose answer was lost with its connection: it may count as alive. */
    private String unanswered;

    private volatile String owner;
    private volatile boolean leaving;
    private volatile boolean crashed;

    public Membership(
            RelayDependencies dependencies,
            Mailbox mailbox,
            RelayLoop relay,
            LeaseClock leaseClock,
            long registryVersion) {
        this.dependencies = dependencies;
        this.store = dependencies.store();
        this.mailbox = mailbox;
        this.relay = relay;
        this.leaseClock = leaseClock;
        this.registryVersion = registryVersion;
        this.detector = new FailureDetector(dependencies.config().relay().lease());
        this.random = new Random((long) (dependencies.random().getAsDouble() * Long.MAX_VALUE));
        OutboxConfig.Relay config = dependencies.config().relay();
        this.assignment = new ShardAssignment(
                store.shards(),
                mailbox,
                relay,
                new FixedShards(store.locks().isPresent() ? ALL : config.shards(), config.lease()),
                detector,
                registryVersion,
                random,
                dependencies.nanoClock(),
                dependencies.config().database().tablePrefix());
    }

    public Duration interval() {
        long tenth = dependencies.config().relay().lease().toMillis() / 10;
        return Duration.ofMillis(Math.max(20, Math.min(1000, tenth)));
    }

    public String owner() {
        return owner;
    }

    public void tick() {
        oneAtATime.lock();
        try {
            if (!leaving) {
                beatAndShare();
            }
        } finally {
            oneAtATime.unlock();
        }
    }

    /**
     * The loop or the membership has failed, and may not know what runs in this node's shards. The next tick joins
     * under a new name. Until its lease is over, the old name keeps other nodes from starting what may still run here.
     */
    public void crashed() {
        crashed = true;
    }

    private void beatAndShare() {
        long startedAt = dependencies.nanoClock().getAsLong();
        if (crashed) {
            crashed = false;
            owner = null;
            forgetAll();
        }
        if (owner != null && store.locks().isPresent() && !store.locks().get().isOpen(owner)) {
            OutboxLog.lockSessionLost(owner);
            owner = null;
            forgetAll();
        }
        if (owner == null && !leaving) {
            join();
        }
        if (owner == null) {
            return;
        }
        LeaseClock.Heartbeat beat = leaseClock.stamp(owner);
        boolean alive = store.nodes().beat(owner);
        if (leaving) {
            // the stop has not waited for this heartbeat, and what is taken now would not be used
            return;
        }
        if (!alive) {
            OutboxLog.declaredDead(owner);
            forgetAll();
            join();
            beat = leaseClock.stamp(owner);
            if (!store.nodes().beat(owner)) {
                // frozen since it joined, for longer than a lease: the next tick joins again
                return;
            }
        }
        if (!leaseClock.beat(beat)) {
            dependencies.meters().leaseExpired();
        }
        // what was dropped before shards: the reverse order would take a lease that has just ended for a restored one
        Set<Lease> dropped = relay.dropped();
        long until = startedAt + interval().toNanos();
        BooleanSupplier isLate = () -> dependencies.nanoClock().getAsLong() - until >= 0;
        List<Lease> shards = store.shards().all(isLate);
        relay.forgetDropped(dropped);
        assignment.noticeChanges(owner, shards, dropped, isLate);
        // shards before nodes: the reverse order would miss an owner that joins in between, and its shard would be
        // taken away
        Map<String, NodeHeartbeat> live = liveNodes();
        assignment.adjust(owner, shards, live, isLate);
    }

    /**
     * Releases the shards in which nothing runs. If those were all, the node has left. Afterwards it neither sends
     * heartbeats nor joins again.
     *
     * @return false if a heartbeat that does not end kept it from leaving
     */
    public boolean leave(List<Lease> idle, boolean all) throws InterruptedException {
        leaving = true;
        if (!oneAtATime.tryLock(LAST_BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        try {
            leaveUnanswered();
            if (owner != null) {
                store.shards().release(idle);
                if (all && knowsWhatRuns()) {
                    store.nodes().leave(owner);
                    store.locks().ifPresent(LaneLocks::abandon);
                }
            }
            return true;
        } finally {
            oneAtATime.unlock();
        }
    }

    /** Otherwise its calls may go on, or starts are counted that it has forgotten: it has to be declared dead. */
    private boolean knowsWhatRuns() {
        return !crashed && store.locks().map(locks -> locks.isOpen(owner)).orElse(true);
    }

    private void join() {
        leaveUnanswered();
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        String name = UUID.nameUUIDFromBytes(bytes).toString();
        String fresh = store.locks().map(locks -> locks.kind().nodePrefix()).orElse("") + name;
        String label = dependencies.config().relay().label();
        // a node that counts as alive has its lock
        open(ClaimStrategy.ADVISORY_LOCK, fresh);
        try {
            store.nodes().join(fresh, label, registryVersion);
        } catch (StoreException e) {
            // a refused name is that of another node
            unanswered = e.isConnectionLost() ? fresh : null;
            throw e;
        }
        // claims of a node that does not count as alive are deleted
        open(ClaimStrategy.ROW_LOCK, fresh);
        owner = fresh;
        OutboxLog.joined(fresh, label, registryVersion);
    }

    /** The others would wait for its lease, and leave it a share. */
    private void leaveUnanswered() {
        if (unanswered != null) {
            store.nodes().leave(unanswered);
            unanswered = null;
        }
    }

    private void open(ClaimStrategy kind, String fresh) {
        store.locks().filter(locks -> locks.kind() == kind).ifPresent(locks -> locks.open(fresh));
    }

    private void forgetAll() {
        try {
            // before the lanes are given back: calls may still run, and other nodes must notice that
            store.locks().ifPresent(LaneLocks::abandon);
        } finally {
            detector.forget();
            assignment.forgetAll();
        }
    }

    private Map<String, NodeHeartbeat> liveNodes() {
        long askedAt = dependencies.nanoClock().getAsLong();
        List<NodeHeartbeat> nodes = store.nodes().live();
        detector.observe(nodes, askedAt, dependencies.nanoClock().getAsLong());
        Set<String> before = others;
        Map<String, NodeHeartbeat> live = new LinkedHashMap<>();
        for (NodeHeartbeat node : nodes) {
            // a node that cannot be declared dead has sent a heartbeat since it was read
            if (!node.owner().equals(owner)
                    && detector.isDead(node)
                    && store.nodes().declareDead(node)) {
                OutboxLog.nodeDied(node);
            } else {
                live.put(node.owner(), node);
            }
        }
        others = Set.copyOf(live.keySet());
        if (store.locks().isPresent()) {
            tellRelay(live.values(), !others.containsAll(before));
        }
        return live;
    }

    private void tellRelay(Collection<NodeHeartbeat> live, boolean anyGone) {
        if (anyGone) {
            mailbox.post(relay::nodeGone);
        }
        if (live.stream().anyMatch(node -> node.registryVersion() > registryVersion && detector.isBeating(node))) {
            mailbox.post(relay::newerNode);
        }
    }
}
