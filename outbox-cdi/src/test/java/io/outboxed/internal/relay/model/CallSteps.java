package io.outboxed.internal.relay.model;

import io.outboxed.internal.relay.model.ModelLane.Phase;
import io.outboxed.internal.relay.model.ModelRow.Hold;
import java.util.List;

/** From the call to its end: outside handlers, and claim, handler, delete of the others. */
final class CallSteps {
    private final Scenario scenario;

    CallSteps(Scenario scenario) {
        this.scenario = scenario;
    }

    void add(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        ModelRow run = memory.running();
        if (run == null || memory.phase() == Phase.FAILED) {
            return;
        }
        if (run.message() == scenario.poison()) {
            steps.add(node, "is killed by", run, FaultSteps.crashed(state, node));
        } else if (scenario.isOutside(run)) {
            steps.add(
                    node,
                    "has called",
                    run,
                    state.with(node, lane, memory.succeeded()).with(state.ends().done(run.message())));
            fail(state, node, lane, steps);
        } else if (memory.phase() == Phase.CALLED) {
            claim(state, node, lane, steps);
        } else {
            commit(state, node, lane, steps);
        }
    }

    private void fail(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        if (state.faults() > 0) {
            ModelLane memory = node.lanes().get(lane);
            ModelLane failed = memory.orphan() ? memory.ended() : memory.in(Phase.FAILED);
            steps.add(node, "fails with", memory.running(), state.fault().with(node, lane, failed));
        }
    }

    private void claim(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        ModelRow run = memory.running();
        ModelState begun = state.with(node, lane, memory.in(Phase.IN_TRANSACTION));
        if (!scenario.has(Rule.MARK_FIRST)) {
            steps.add(node, "begins a transaction for", run, begun);
            return;
        }
        ModelRow row = state.row(run.seq()).orElse(null);
        if (row != null && !row.isFree()) {
            return;
        }
        if (row != null && row.version() == run.version()) {
            steps.add(node, "claims", run, begun.with(row.heldBy(Hold.of(node))));
        } else if (scenario.has(Rule.COUNT_OF_ONE)) {
            steps.add(node, "can't claim", run, state.with(node, lane, memory.readAgain()));
        } else {
            steps.add(node, "begins without a claim", run, begun);
        }
    }

    private void commit(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        ModelRow run = memory.running();
        ModelState over = state.with(node, lane, memory.ended());
        ModelState again = state.with(node, lane, memory.readAgain());
        boolean undone = memory.phase() == Phase.UNDONE;
        ModelRow row = state.row(run.seq()).orElse(null);
        boolean found = scenario.has(Rule.MARK_FIRST)
                ? row != null && row.hold() == Hold.of(node)
                : row != null && row.isFree() && row.version() == run.version();
        if (found) {
            Ends ends = undone ? state.ends() : state.ends().committed(lane, run);
            steps.add(node, "commits", run, over.deleted(row).with(ends));
        } else if (scenario.has(Rule.COUNT_OF_ONE)) {
            steps.add(node, "finds no claim and rolls back", run, again);
        } else {
            Ends ends = undone ? state.ends() : state.ends().committed(lane, run);
            steps.add(node, "commits without a claim", run, over.with(ends));
        }
        if (found && !undone && state.faults() > 0) {
            ModelState next = (scenario.has(Rule.READ_AGAIN) ? again : over).fault();
            steps.add(node, "gets no answer to the commit of", run, next.with(row.heldBy(Hold.IN_DOUBT)));
            steps.add(
                    node,
                    "does not notice that its transaction is rolled back:",
                    run,
                    state.fault().with(node, lane, memory.in(Phase.UNDONE)).with(row.heldBy(Hold.NONE)));
            fail(state.with(row.heldBy(Hold.NONE)), node, lane, steps);
        }
    }

    /** Records successes: all of the lane in one batch, or the first. */
    void acknowledge(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        List<ModelRow> successes = node.lanes().get(lane).successes();
        for (int size = 1; size <= successes.size(); size += Math.max(1, successes.size() - 1)) {
            new Acknowledging(scenario, state, node, lane).add(size, steps);
        }
    }
}
