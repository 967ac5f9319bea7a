package io.outboxed.internal.relay.model;

/** Every step that is possible in a state. */
final class Transitions {
    private final MembershipSteps membership;
    private final LaneSteps lanes;
    private final CallSteps calls;
    private final DecisionSteps writes;
    private final FaultSteps faults;

    Transitions(Scenario scenario) {
        this.membership = new MembershipSteps(scenario);
        this.writes = new DecisionSteps(scenario);
        this.lanes = new LaneSteps(scenario, writes);
        this.calls = new CallSteps(scenario);
        this.faults = new FaultSteps(scenario);
    }

    void of(ModelState state, Step.Sink steps) {
        for (ModelNode node : state.nodes()) {
            membership.add(state, node, steps);
            for (int lane = 0; lane < node.lanes().size(); lane++) {
                lanes.add(state, node, lane, steps);
                calls.add(state, node, lane, steps);
                calls.acknowledge(state, node, lane, steps);
                writes.resolve(state, node, lane, steps);
            }
            faults.crash(state, node, steps);
        }
        faults.database(state, steps);
    }
}
