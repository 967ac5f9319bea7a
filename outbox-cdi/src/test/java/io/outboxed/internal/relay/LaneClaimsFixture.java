package io.outboxed.internal.relay;

import io.outboxed.internal.store.MemoryLockSession;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that claims lanes by locks, and another one whose locks are in its way, on one store in memory. */
abstract class LaneClaimsFixture {
    static final String ONE = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "one";
    static final String OTHER = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "other";

    long now = Duration.ofHours(1).toNanos();
    final MemoryStore store = new MemoryStore(() -> now / 1000);
    final AtomicInteger deaths = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();
    final MemoryLockSession other = node(OTHER);
    final MemoryLockSession mine = node(ONE);
    final LaneClaims claims = claims(Optional.of(mine));

    private MemoryLockSession node(String owner) {
        MemoryLockSession session = store.lockSession(Duration.ofHours(1).toNanos() / 1000);
        session.open(owner);
        store.nodes().join(owner, owner, 1);
        return session;
    }

    LaneClaims claims(Optional<LaneLocks> locks) {
        return new LaneClaims(locks, deaths::incrementAndGet, () -> now);
    }

    /** @return those that may be brought into memory */
    List<Long> read(LaneClaims by, Long... lanes) {
        List<Long> unclaimed =
                List.of(lanes).stream().filter(lane -> !by.mayBringIn(lane)).toList();
        by.lock(
                unclaimed,
                locked -> {
                    reads.incrementAndGet();
                    return List.of();
                },
                rows -> Set.of());
        return List.of(lanes).stream().filter(by::mayBringIn).toList();
    }

    void pass(Duration time) {
        now += time.toNanos();
    }
}
