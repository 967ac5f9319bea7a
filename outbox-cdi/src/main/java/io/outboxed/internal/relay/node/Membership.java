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
 * This node among the others: sends heartbeats, detects dead nodes, takes free shards and releases those above its fair
 * share. A node is dead if its heartbeat counter has not changed for one lease on this node's monotonic clock;
 * timestamps of other nodes play no part. Runs on its own thread, so that handlers can't delay it, and reports to the
 * loop through the mailbox.
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
    private final Map<String, Seen> seen = new HashMap<>();
    private final Map<Integer, Lease> held = new HashMap<>();
    /** Attempted; the answer may have been lost. */
    private final Set<Integer> takenFromTheDead = new HashSet<>();

    private final ReentrantLock oneAtATime = new ReentrantLock();
    private volatile String owner;
    private volatile boolean leaving;

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

    private void beatAndShare() {
        if (owner == null) {
            join();
        }
        LeaseClock.Beat beat = leaseClock.about(owner);
        if (!store.nodes().beat(owner)) {
            OutboxLog.declaredDead(owner);
            forgetAll();
            join();
            beat = leaseClock.about(owner);
            store.nodes().beat(owner);
        }
        leaseClock.beat(beat);
        // shards before nodes: the reverse order would miss an owner that joins in between, and its shard would be
        // taken away
        List<ShardOwner> shards = store.shards().all();
        Map<String, NodeBeat> live = liveNodes();
        noticeChanges(shards);
        take(shards, live);
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
        seen.clear();
        takenFromTheDead.clear();
        mailbox.post(relay::lostAll);
    }

    /**
     * A heartbeat is as old as the answer that first reported it. It is unchanged only up to the time when the latest
     * query was sent.
     */
    private Map<String, NodeBeat> liveNodes() {
        Map<String, NodeBeat> live = new LinkedHashMap<>();
        long askedAt = dependencies.nanoClock().getAsLong();
        List<NodeBeat> nodes = store.nodes().live();
        long answeredAt = dependencies.nanoClock().getAsLong();
        for (NodeBeat node : nodes) {
            Seen last = seen.get(node.owner());
            if (node.owner().equals(owner) || last == null || last.beat() != node.beat()) {
                seen.put(node.owner(), new Seen(node.beat(), answeredAt));
                live.put(node.owner(), node);
            } else if (askedAt - last.at()
                    <= dependencies.config().relay().lease().toNanos()) {
                live.put(node.owner(), node);
            } else if (store.nodes().declareDead(node)) {
                OutboxLog.nodeDied(node);
            } else {
                // it has sent a heartbeat since it was read
                live.put(node.owner(), node);
            }
        }
        seen.keySet().retainAll(live.keySet());
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

    private void take(List<ShardOwner> shards, Map<String, NodeBeat> live) {
        List<ShardOwner> free = new ArrayList<>();
        for (ShardOwner shard : shards) {
            if (shard.owner() == null || !live.containsKey(shard.owner())) {
                free.add(shard);
            }
        }
        Collections.shuffle(free, random);
        int fair = fair(shards.size(), live.size());
        for (ShardOwner shard : free) {
            if (held.size() >= fair) {
                return;
            }
            boolean ownerDied = shard.owner() != null;
            if (ownerDied) {
                takenFromTheDead.add(shard.shard());
            }
            OptionalLong epoch = store.shards().take(shard, owner);
            if (epoch.isPresent()) {
                gain(new Lease(shard.shard(), owner, epoch.getAsLong()), ownerDied);
            }
        }
    }

    private void gain(Lease lease, boolean ownerDied) {
        held.put(lease.shard(), lease);
        takenFromTheDead.remove(lease.shard());
        mailbox.post(() -> relay.gained(lease, ownerDied));
    }

    /**
     * Shards above the fair share go to the node with the fewest. Shards with messages that only a newer deployment can
     * handle go to such a node.
     */
    private void balance(List<ShardOwner> shards, Map<String, NodeBeat> live) {
        Map<String, Long> counts = shards.stream()
                .filter(shard -> shard.owner() != null && live.containsKey(shard.owner()))
                .collect(Collectors.groupingBy(ShardOwner::owner, Collectors.counting()));
        Optional<NodeBeat> leastLoaded = live.values().stream()
                .filter(node -> !node.owner().equals(owner) && node.registryVersion() >= registryVersion)
                .min(Comparator.comparing(node -> counts.getOrDefault(node.owner(), 0L)));
        int fair = fair(shards.size(), live.size());
        if (leastLoaded.isPresent() && held.size() > fair) {
            String to = leastLoaded.get().owner();
            long room = fair - counts.getOrDefault(to, 0L);
            int count = (int) Math.min(held.size() - fair, room);
            mailbox.post(() -> relay.leave(count, to));
        }
        live.values().stream()
                .filter(node -> node.registryVersion() > registryVersion)
                .max(Comparator.comparingLong(NodeBeat::registryVersion))
                .ifPresent(newest -> mailbox.post(() -> relay.leaveForeign(newest.owner())));
    }

    private static int fair(int shards, int nodes) {
        return (shards + nodes - 1) / Math.max(1, nodes);
    }

    private record Seen(long beat, long at) {}
}
