package io.outboxed.internal.relay.model;

import io.outboxed.internal.relay.model.ModelNode.Lease;

/** Leases: heartbeat and lapse, death and takeover, release. */
final class MembershipSteps {
    private final Scenario scenario;

    MembershipSteps(Scenario scenario) {
        this.scenario = scenario;
    }

    void add(ModelState state, ModelNode node, Step.Sink steps) {
        clock(state, node, steps);
        death(state, node, steps);
        take(state, node, steps);
        giveBack(state, node, steps);
    }

    private void clock(ModelState state, ModelNode node, Step.Sink steps) {
        boolean matters = node.hasLease() || state.owner() == node.number();
        if (node.trusts() && matters && state.faults() > 0) {
            steps.add(
                    node,
                    "its lease lapses, no beat got through",
                    null,
                    state.fault().with(node.trusting(false)));
        }
        if (node.declaredDead()) {
            ModelState joined = state.with(node.joinedAgain());
            steps.add(
                    node,
                    "beats, finds itself declared dead, drops everything and joins again",
                    null,
                    state.owner() == node.number() ? joined.owned(ModelState.GONE) : joined);
        } else if (!node.trusts()) {
            steps.add(node, "beats in time", null, state.with(node.trusting(true)));
        }
    }

    private void death(ModelState state, ModelNode node, Step.Sink steps) {
        ModelNode other = state.other(node);
        boolean silent = !other.trusts() || !scenario.has(Rule.DEATH_AFTER_LAPSE);
        if (node.trusts() && state.owner() == other.number() && !other.declaredDead() && silent) {
            steps.add(node, "declares node " + other.number() + " dead", null, state.with(other.dead()));
        }
    }

    private void take(ModelState state, ModelNode node, Step.Sink steps) {
        if (!node.trusts() || node.declaredDead() || node.hasLease()) {
            return;
        }
        ModelNode other = state.other(node);
        ModelState taken = state.owned(node.number());
        if (state.owner() == node.number()) {
            int started = scenario.has(Rule.FOUND_HAS_SUSPECTS) ? 0 : scenario.allLanes();
            steps.add(node, "finds that it owns the shard", null, state.with(node.leased(Lease.CURRENT, started)));
        } else if (state.owner() == ModelState.FREE) {
            ModelNode owner = node.leased(Lease.CURRENT, scenario.allLanes());
            steps.add(node, "takes the free shard, epoch + 1", null, taken.with(owner));
        } else if (state.owner() == ModelState.GONE || other.declaredDead()) {
            boolean robs = other.lease() == Lease.CURRENT;
            ModelState robbed = robs ? taken.with(other.leased(Lease.STALE, other.started())) : taken;
            ModelState known = robbed.with(node.leased(Lease.CURRENT, 0));
            steps.add(node, "takes the shard of a dead node, epoch + 1", null, known);
            if (state.faults() > 0) {
                steps.add(node, "gets no answer when it takes the shard, epoch + 1", null, robbed.fault());
            }
        }
    }

    private void giveBack(ModelState state, ModelNode node, Step.Sink steps) {
        if (node.leaving()) {
            steps.add(node, "finds that it has handed the shard over", null, state.with(node.withoutLease()));
            return;
        }
        if (state.faults() == 0
                || node.lease() != Lease.CURRENT
                || !node.isIdle() && scenario.has(Rule.HAND_OVER_WAITS)) {
            return;
        }
        boolean suspects = node.started() != scenario.allLanes() && scenario.has(Rule.RELEASE_KEEPS_SUSPECTS);
        steps.add(
                node,
                suspects ? "releases the shard with its suspects" : "releases the shard",
                null,
                state.fault().with(node.withoutLease()).owned(suspects ? ModelState.GONE : ModelState.FREE));
        ModelNode other = state.other(node);
        if (!other.declaredDead()) {
            ModelState given = state.fault().owned(other.number());
            steps.add(node, "hands the shard over, epoch + 1", null, given.with(node.withoutLease()));
            steps.add(
                    node,
                    "gets no answer when it hands the shard over, epoch + 1",
                    null,
                    given.with(node.nowLeaving()));
        }
    }
}
