package io.outboxed.internal.relay.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A node. It is frozen while it makes no step, so every interleaving has its freezes and zombies.
 *
 * @param trusts its own clock says that its lease is valid
 * @param declaredDead the database says that its present name is dead
 * @param leaving it has handed the shard over and has not seen the answer
 * @param started lanes, as bits, that have no suspects under the present lease
 */
record ModelNode(
        int number,
        boolean trusts,
        boolean declaredDead,
        Lease lease,
        boolean leaving,
        int started,
        List<ModelLane> lanes) {

    /** The lease that the node believes it has, compared with the shard's row. */
    enum Lease {
        NONE,
        /** The row has its owner and epoch. */
        CURRENT,
        /** The row has a later epoch. */
        STALE
    }

    static ModelNode fresh(int number, int lanes) {
        return new ModelNode(number, true, false, Lease.NONE, false, 0, Collections.nCopies(lanes, ModelLane.EMPTY));
    }

    boolean hasValidLease() {
        return trusts && lease != Lease.NONE;
    }

    boolean hasLease() {
        return lease != Lease.NONE;
    }

    boolean isIdle() {
        return lanes.stream().noneMatch(ModelLane::isBusy);
    }

    boolean hasStarted(int lane) {
        return (started & 1 << lane) != 0;
    }

    ModelNode trusting(boolean now) {
        return new ModelNode(number, now, declaredDead, lease, leaving, started, lanes);
    }

    ModelNode dead() {
        return new ModelNode(number, trusts, true, lease, leaving, started, lanes);
    }

    ModelNode leased(Lease now, int startedLanes) {
        return new ModelNode(number, trusts, declaredDead, now, leaving, startedLanes, lanes);
    }

    ModelNode nowLeaving() {
        return new ModelNode(number, trusts, declaredDead, Lease.STALE, true, started, lanes);
    }

    /** A new name. */
    ModelNode joinedAgain() {
        ModelNode left = withoutLease();
        return new ModelNode(number, true, false, Lease.NONE, false, 0, left.lanes);
    }

    ModelNode withoutLease() {
        List<ModelLane> dropped = lanes.stream().map(ModelLane::dropped).toList();
        return new ModelNode(number, trusts, declaredDead, Lease.NONE, false, 0, dropped);
    }

    ModelNode with(int lane, ModelLane now) {
        List<ModelLane> all = new ArrayList<>(lanes);
        all.set(lane, now);
        return new ModelNode(number, trusts, declaredDead, lease, leaving, started, List.copyOf(all));
    }

    ModelNode startedLane(int lane) {
        return leased(lease, started | 1 << lane);
    }
}
