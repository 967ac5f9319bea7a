package io.outboxed.internal.relay.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records successes of outside handlers: a success needs no lease, but the row must have the version that was called.
 */
final class Acknowledging {
    private final Scenario scenario;
    private final ModelNode node;
    private final int lane;
    private ModelState state;

    Acknowledging(Scenario scenario, ModelState state, ModelNode node, int lane) {
        this.scenario = scenario;
        this.state = state;
        this.node = node;
        this.lane = lane;
    }

    void add(int size, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        List<ModelRow> left = new ArrayList<>();
        boolean behindHeld = false;
        for (ModelRow success : memory.successes().subList(0, size)) {
            Optional<ModelRow> row = state.row(success.seq());
            boolean held = row.isPresent() && !row.get().isFree();
            if (held || behindHeld) {
                left.add(success);
                behindHeld = scenario.has(Rule.NOTHING_BEHIND_A_HELD_ROW);
            } else if (row.isPresent() && fits(success, row.get())) {
                state = state.deleted(row.get());
            }
        }
        if (left.size() < size) {
            left.addAll(memory.successes().subList(size, memory.successes().size()));
            String what = size == 1 ? "acknowledges" : "acknowledges all " + size + " from";
            steps.add(node, what, memory.successes().get(0), state.with(node, lane, memory.recorded(left)));
        }
    }

    private boolean fits(ModelRow success, ModelRow row) {
        if (success.split()) {
            return row.split();
        }
        if (row.split()) {
            return !scenario.has(Rule.ACKNOWLEDGE_BY_STATUS);
        }
        return row.version() == success.version() || !scenario.has(Rule.ACKNOWLEDGE_BY_VERSION);
    }
}
