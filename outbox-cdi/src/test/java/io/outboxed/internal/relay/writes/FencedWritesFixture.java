package io.outboxed.internal.relay.writes;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A buffer of writes, and the database that takes or refuses them as the test says. */
abstract class FencedWritesFixture {
    static final long HELD_LANE = 222_222;

    final List<Set<Lease>> written = new ArrayList<>();
    boolean down;
    boolean lockedByAnother = true;
    /** This many writes are made one by one, and the last of them fails in an outage. */
    int fails;

    boolean driverFails;
    /** Its row is locked by another transaction. */
    int lockedShard;

    int lostShard;
    /** After this many transactions the row of shard 1 is locked. */
    int lockedAfter = -1;

    int refusedTransactions;
    long now;
    /** How long the database waits for the lock that another transaction has. */
    Duration lockWait = Duration.ZERO;
    /** How the database says so: the lock timeout, or a shorter limit for each statement. */
    String lockedState = "55P03";
    /** How the database refuses a row: the disk is full, or the table of its locks. */
    String fullState = "53100";

    long waited;
    /** The lane whose writes find no room. */
    long diskFullFor;

    final List<Long> rejectedLanes = new ArrayList<>();
    final List<Lease> lost = new ArrayList<>();

    static void addEach(FencedWriteBuffer writes, List<Long> done, List<Long> lanes) {
        lanes.forEach(lane -> writes.add(new Lease(1, "me", 1), postpone(lane), () -> done.add(lane)));
    }

    static FencedWrite postpone(long lane) {
        return new FencedWrite.PostponeLane(new LaneWait(lane, 1, "mail"), 1);
    }

    FencedWriteBuffer writes() {
        FencedWriteBuffer.RejectionListener listener = new FencedWriteBuffer.RejectionListener() {
            @Override
            public void lost(Lease lease) {
                lost.add(lease);
            }

            @Override
            public void rejected(Lease lease, long lane) {
                rejectedLanes.add(lane);
            }
        };
        return new FencedWriteBuffer(store().writes(), listener, () -> now);
    }

    private RelayStore store() {
        return Ports.through((proxy, method, arguments) -> {
            if (down) {
                throw new StoreException("the database is down", true, null);
            }
            if (method.getName().equals("wake")) {
                return null;
            }
            if (lockedAfter >= 0 && lockedAfter-- == 0) {
                lockedShard = 1;
            }
            Map<Lease, List<FencedWrite>> batch = batch(arguments[0]);
            for (Lease lease : batch.keySet()) {
                if (lease.shard() == lockedShard) {
                    refusedTransactions++;
                    throw new ShardLockedException(lease);
                }
                if (lease.shard() == lostShard) {
                    throw new LeaseLostException(lease);
                }
            }
            if (driverFails) {
                throw new IllegalStateException("the driver's bug");
            }
            if (batch.size() == 1 && batch.values().iterator().next().size() == 1 && fails > 0 && --fails == 0) {
                throw new StoreException("the connection was cut", true, null);
            }
            if (lockedByAnother && batch.toString().contains("lane=" + HELD_LANE)) {
                now += lockWait.toNanos();
                waited += lockWait.toNanos();
                throw new StoreException("held", true, new SQLException("held", lockedState));
            }
            if (diskFullFor > 0 && batch.toString().contains("lane=" + diskFullFor + ",")) {
                refusedTransactions++;
                throw new StoreException("no space left", false, new SQLException("full", fullState));
            }
            written.add(batch.keySet());
            return null;
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<Lease, List<FencedWrite>> batch(Object argument) {
        return (Map<Lease, List<FencedWrite>>) argument;
    }
}
