package io.outboxed.internal.relay;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.cluster.LaneLocks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether the other nodes have their lock sessions. A session that is lost frees its locks while its node may still run
 * calls. Until that node has been declared dead, no lane is claimed.
 */
final class PeerSessions {
    private final LaneLocks locks;
    private final Runnable nodeDied;
    /** Dead nodes without locks: whatever they were running is taken into account. */
    private final Set<String> settled = new HashSet<>();
    /** Nodes that count as alive and have lost their locks. */
    private Set<String> absent = Set.of();

    /** @param nodeDied called before a lane is claimed that a dead node may have been working on */
    PeerSessions(LaneLocks locks, Runnable nodeDied) {
        this.locks = locks;
        this.nodeDied = nodeDied;
    }

    /** Whether a node has died since this one began to claim lanes, or in the day before. */
    boolean anyDied() {
        return !settled.isEmpty();
    }

    /** False if a node that counts as alive has lost its own. */
    boolean allHaveTheirLocks() {
        List<LaneLocks.Peer> all = locks.peers();
        settled.retainAll(all.stream().map(LaneLocks.Peer::owner).toList());
        List<LaneLocks.Peer> peers =
                all.stream().filter(peer -> !settled.contains(peer.owner())).toList();
        if (peers.isEmpty()) {
            missing(Set.of());
            return true;
        }
        Set<String> present =
                locks.present(peers.stream().map(LaneLocks.Peer::owner).toList());
        Set<String> alive = new TreeSet<>();
        boolean died = false;
        for (LaneLocks.Peer peer : peers) {
            if (present.contains(peer.owner())) {
                continue;
            }
            if (peer.isDead()) {
                died |= settled.add(peer.owner());
            } else {
                alive.add(peer.owner());
            }
        }
        if (died) {
            nodeDied.run();
        }
        missing(alive);
        return alive.isEmpty();
    }

    private void missing(Set<String> owners) {
        if (!owners.isEmpty() && !owners.equals(absent)) {
            OutboxLog.locksMissing(owners);
        }
        absent = owners;
    }
}
