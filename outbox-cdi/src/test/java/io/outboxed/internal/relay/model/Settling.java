package io.outboxed.internal.relay.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records successes of outside handlers: a fact needs no lease, but the row must have the version that was called. */
final class Settling {
    private final Scenario scenario;
    private final ModelNode node;
    private final int lane;
    private ModelState state;

    Settling(Scenario scenario, ModelState state, ModelNode node, int lane) {
        this.scenario = scenario;
        this.state = state;
        this.node = node;
        this.lane = lane;
    }

    void add(int size, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        List<ModelRow> left = new ArrayList<>();
        boolean behindHeld = false;
        for (ModelRow fact : memory.facts().subList(0, size)) {
            Optional<ModelRow> row = state.row(fact.seq());
            boolean held = row.isPresent() && !row.get().isFree();
            if (held || behindHeld) {
                left.add(fact);
                behindHeld = scenario.has(Rule.NOTHING_BEHIND_A_HELD_ROW);
            } else if (row.isPresent() && fits(fact, row.get())) {
                state = state.deleted(row.get());
            }
        }
        if (left.size() < size) {
            left.addAll(memory.facts().subList(size, memory.facts().size()));
            String what = size == 1 ? "settles" : "settles all " + size + " from";
            steps.add(node, what, memory.facts().get(0), state.with(node, lane, memory.recorded(left)));
        }
    }

    private boolean fits(ModelRow fact, ModelRow row) {
        if (fact.split()) {
            return row.split();
        }
        if (row.split()) {
            return !scenario.has(Rule.SETTLE_BY_STATUS);
        }
        return row.version() == fact.version() || !scenario.has(Rule.SETTLE_BY_VERSION);
    }
}
