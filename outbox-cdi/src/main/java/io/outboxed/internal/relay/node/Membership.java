package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.loop.Mailbox;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeBeat;
import io.outboxed.internal.store.cluster.ShardOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * This node among the others: sends heartbeats, declares nodes dead, takes free shards and releases those above its fair
 * share. Runs on its own thread, so that handlers can't delay it, and reports to the loop through the mailbox.
 */
public final class Membership {
    private static final Duration LAST_BEAT = Duration.ofMillis(300);

    private final RelayDependencies dependencies;
    private final RelayStore store;
    private final Mailbox mailbox;
    private final RelayLoop relay;
    private final LeaseClock leaseClock;
    private final long registryVersion;
    private final Random random;
    private final FailureDetector detector;
    private final Map<Integer, Lease> held = new HashMap<>();
    /** Attempted; the answer may have been lost. */
    private final Set<Integer> takenFromTheDead = new HashSet<>();
    /** Free in the previous tick: the other nodes have had time to take their share of them. */
    private Set<Integer> leftOver = Set.of();

    private final ReentrantLock oneAtATime = new ReentrantLock();
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
        if (owner == null) {
            join();
        }
        LeaseClock.Beat beat = leaseClock.about(owner);
        if (!store.nodes().beat(owner)) {
            OutboxLog.declaredDead(owner);
            forgetAll();
            join();
            beat = leaseClock.about(owner);
            if (!store.nodes().beat(owner)) {
                // frozen since it joined, for longer than a lease: the next tick joins again
                return;
            }
        }
        leaseClock.beat(beat);
        // shards before nodes: the reverse order would miss an owner that joins in between, and its shard would be
        // taken away
        List<ShardOwner> shards = store.shards().all();
        Map<String, NodeBeat> live = liveNodes();
        noticeChanges(shards);
        take(shards, live, startedAt);
        balance(shards, live);
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
            if (owner != null) {
                store.shards().release(idle);
                if (all) {
                    store.nodes().leave(owner);
                }
            }
            return true;
        } finally {
            oneAtATime.unlock();
        }
    }

    private void join() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        String fresh = UUID.nameUUIDFromBytes(bytes).toString();
        String label = dependencies.config().relay().label();
        store.nodes().join(fresh, label, registryVersion);
        owner = fresh;
        OutboxLog.joined(fresh, label, registryVersion);
    }

    private void forgetAll() {
        held.clear();
        detector.forget();
        leftOver = Set.of();
        takenFromTheDead.clear();
        mailbox.post(relay::lostAll);
    }

    private Map<String, NodeBeat> liveNodes() {
        long askedAt = dependencies.nanoClock().getAsLong();
        List<NodeBeat> nodes = store.nodes().live();
        detector.observe(nodes, askedAt, dependencies.nanoClock().getAsLong());
        Map<String, NodeBeat> live = new LinkedHashMap<>();
        for (NodeBeat node : nodes) {
            // a node that cannot be declared dead has sent a heartbeat since it was read
            if (!node.owner().equals(owner)
                    && detector.isDead(node)
                    && store.nodes().declareDead(node)) {
                OutboxLog.nodeDied(node);
            } else {
                live.put(node.owner(), node);
            }
        }
        return live;
    }

    /** Notices the shards that other nodes have handed over to this one, and those that this node no longer owns. */
    private void noticeChanges(List<ShardOwner> shards) {
        for (ShardOwner shard : shards) {
            Lease lease = held.get(shard.shard());
            boolean mine = owner.equals(shard.owner());
            if (lease != null && (!mine || lease.epoch() != shard.epoch())) {
                held.remove(shard.shard());
                mailbox.post(() -> relay.lost(lease));
            }
            if (mine && (lease == null || lease.epoch() != shard.epoch())) {
                // handed over, and therefore clean, or taken by a statement whose answer was lost
                gain(new Lease(shard.shard(), owner, shard.epoch()), takenFromTheDead.contains(shard.shard()));
            }
        }
    }

    /**
     * Takes free shards up to the fair share, and beyond it those that were free before: a node that counts as alive may
     * be frozen, or die before it takes any. The next heartbeat must not wait for many slow statements.
     */
    private void take(List<ShardOwner> shards, Map<String, NodeBeat> live, long startedAt) {
        List<ShardOwner> free = new ArrayList<>();
        for (ShardOwner shard : shards) {
            if (shard.owner() == null || !live.containsKey(shard.owner())) {
                free.add(shard);
            }
        }
        Collections.shuffle(free, random);
        int fair = fair(shards.size(), live.size());
        for (ShardOwner shard : free) {
            if (dependencies.nanoClock().getAsLong() - startedAt >= interval().toNanos()) {
                break;
            }
            if (held.size() < fair || leftOver.contains(shard.shard())) {
                take(shard);
            }
        }
        leftOver = free.stream().map(ShardOwner::shard).collect(Collectors.toSet());
    }

    private void take(ShardOwner shard) {
        boolean ownerDied = shard.owner() != null;
        if (ownerDied) {
            takenFromTheDead.add(shard.shard());
        }
        OptionalLong epoch = store.shards().take(shard, owner);
        if (epoch.isPresent()) {
            gain(new Lease(shard.shard(), owner, epoch.getAsLong()), ownerDied);
        }
    }

    private void gain(Lease lease, boolean ownerDied) {
        held.put(lease.shard(), lease);
        takenFromTheDead.remove(lease.shard());
        mailbox.post(() -> relay.gained(lease, ownerDied));
    }

    /**
     * Shards above the fair share go to the node with the fewest. Shards with messages that only a newer deployment can
     * handle go to such a node. Only a node whose heartbeat has just changed is given shards: to one that has died, they
     * would be lost for a lease.
     */
    private void balance(List<ShardOwner> shards, Map<String, NodeBeat> live) {
        Map<String, Long> counts = shards.stream()
                .filter(shard -> shard.owner() != null && live.containsKey(shard.owner()))
                .collect(Collectors.groupingBy(ShardOwner::owner, Collectors.counting()));
        Optional<NodeBeat> leastLoaded = live.values().stream()
                .filter(node -> !node.owner().equals(owner) && node.registryVersion() >= registryVersion)
                .filter(detector::isBeating)
                .min(Comparator.comparing(node -> counts.getOrDefault(node.owner(), 0L)));
        int fair = fair(shards.size(), live.size());
        if (leastLoaded.isPresent() && held.size() > fair) {
            String to = leastLoaded.get().owner();
            long room = fair - counts.getOrDefault(to, 0L);
            int count = (int) Math.min(held.size() - fair, room);
            mailbox.post(() -> relay.leave(count, to));
        }
        live.values().stream()
                .filter(node -> node.registryVersion() > registryVersion && detector.isBeating(node))
                .max(Comparator.comparingLong(NodeBeat::registryVersion))
                .ifPresent(newest -> mailbox.post(() -> relay.leaveForeign(newest.owner())));
    }

    private static int fair(int shards, int nodes) {
        return (shards + nodes - 1) / Math.max(1, nodes);
    }
}
