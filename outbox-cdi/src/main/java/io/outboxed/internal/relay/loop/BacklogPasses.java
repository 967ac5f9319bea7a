package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.DutyCycle;
import io.outboxed.internal.relay.ForeignLanes;
import io.outboxed.internal.relay.LaneClaims;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * With locks: when the pass over each shard's backlog goes on, and which lanes of other nodes it leaves out. Does
 * nothing for a node that has all lanes of its shards.
 */
final class BacklogPasses {
    /** Rows of other nodes' lanes are read on for at most 20 % of the time. */
    private static final int SHARE_OF_FRUITLESS = 5;

    private final LoopState state;
    private final LaneClaims claims;
    private final ForeignLanes foreign = new ForeignLanes();
    /** Pages of passes that bring nothing. */
    private final DutyCycle fruitless;

    BacklogPasses(LoopState state, LaneClaims claims, long now) {
        this.state = state;
        this.claims = claims;
        this.fruitless = new DutyCycle(Duration.ZERO, SHARE_OF_FRUITLESS, now);
    }

    /** Decides which shards are read on, and which lanes are tried again. */
    void begin(long now) {
        if (!claims.isPerLane()) {
            return;
        }
        foreign.expire(state.shards().numbers(), claims::holds, now)
                .forEach(number -> state.shards().get(number).needsRead = true);
        boolean hasRoom = claims.hasRoom(now);
        boolean evenFruitless = hasRoom && shared().anyMatch(SharedShard::isUnfinished) && fruitless.begin(now);
        shared().forEach(shard -> shard.mayReadOn(hasRoom, evenFruitless));
    }

    long untilNext(long now) {
        long untilOn = shared().anyMatch(shard -> shard.isUnfinished() && state.mayRead(shard))
                ? Math.max(claims.untilRoom(now), fruitless.untilDue(now))
                : Long.MAX_VALUE;
        return Math.min(untilOn, foreign.untilExpired(now));
    }

    /** This lane has more rows in the page than a lane takes, and another node has it. */
    void leaveOut(int shard, long lane, long now) {
        foreign.add(shard, lane, now);
    }

    boolean leaveOutAny(int shard) {
        return foreign.any(shard);
    }

    /** These lanes of the shard, and those that are left out. */
    List<Long> andForeign(List<Long> lanes, int shard) {
        return foreign.and(lanes, shard);
    }

    void brought(Map<Integer, ReadWindows.Page> pages) {
        shared().filter(shard -> pages.containsKey(shard.lease.shard()))
                .forEach(shard -> shard.brought(pages.get(shard.lease.shard()).fruitful));
    }

    /** @param nanos how long it took to read these pages and to claim lanes */
    void took(long nanos, Map<Integer, ReadWindows.Page> pages) {
        if (claims.isPerLane()) {
            long without =
                    pages.values().stream().filter(page -> !page.fruitful).count();
            fruitless.took(nanos * without / pages.size());
        }
    }

    private Stream<SharedShard> shared() {
        return claims.isPerLane() ? state.shards().all().stream().map(SharedShard.class::cast) : Stream.empty();
    }
}
