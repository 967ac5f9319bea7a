package io.outboxed.internal.relay.model;

import java.util.List;

/**
 * What the loop does with a lane: reads it, counts its suspect, starts its next message, sets aside what has to wait.
 */
final class LaneSteps {
    private final Scenario scenario;
    private final DecisionSteps writes;

    LaneSteps(Scenario scenario, DecisionSteps writes) {
        this.scenario = scenario;
        this.writes = writes;
    }

    void add(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        boolean leaves = node.leaving() && scenario.has(Rule.LEAVING_STARTS_NOTHING);
        if (!node.hasLease() || leaves || memory.orphan() || memory.running() != null) {
            return;
        }
        if (memory.isEmpty()) {
            fetch(state, node, lane, steps);
        } else if (!memory.queue().isEmpty()) {
            next(state, node, lane, steps);
        }
    }

    private void fetch(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        if (!node.trusts()) {
            return;
        }
        List<ModelRow> all = state.rows().stream()
                .filter(row -> scenario.laneOf(row) == lane)
                .toList();
        List<ModelRow> whole =
                all.stream().filter(row -> !row.split()).map(ModelRow::read).toList();
        if (!whole.isEmpty()) {
            steps.add(node, "reads " + whole, null, fetched(state, node, lane, whole));
        }
        all.stream()
                .filter(ModelRow::split)
                .limit(scenario.has(Rule.LOWEST_WAITING_FIRST) ? 1 : all.size())
                .filter(ModelRow::due)
                .map(ModelRow::read)
                .forEach(row -> steps.add(node, "reads the waiting", row, fetched(state, node, lane, List.of(row))));
    }

    private static ModelState fetched(ModelState state, ModelNode node, int lane, List<ModelRow> rows) {
        return state.with(node, lane, node.lanes().get(lane).fetched(rows));
    }

    private void next(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        ModelRow head = memory.queue().get(0);
        boolean recorded = memory.successes().isEmpty();
        boolean suspect = !head.split() && !node.hasStarted(lane);
        if (!head.split() && groupWaits(state, lane)) {
            if (recorded) {
                writes.setAside(state, node, lane, head, steps);
            }
        } else if (suspect && scenario.has(Rule.COUNT_BEFORE_RUN)) {
            if (head.starts() >= Scenario.FATAL_STARTS) {
                writes.deadLetter(state, node, lane, head, steps);
            } else {
                writes.start(state, node, lane, head, steps);
            }
        } else if (head.split() && head.attempts() >= Scenario.MOST_ATTEMPTS) {
            writes.deadLetter(state, node, lane, head, steps);
        } else if ((node.trusts() || !scenario.has(Rule.LEASE_BEFORE_CALL))
                && (recorded || mayFollow(memory.successes(), head))) {
            begin(state, node, lane, head, steps);
        }
    }

    private boolean groupWaits(ModelState state, int lane) {
        return scenario.has(Rule.GROUP_WAITS)
                && state.rows().stream().anyMatch(row -> row.split() && scenario.laneOf(row) == lane);
    }

    /** A sequence of calls: it contains nothing that waited or was a suspect. */
    private boolean mayFollow(List<ModelRow> successes, ModelRow head) {
        return isPlain(head)
                && successes.stream().allMatch(LaneSteps::isPlain)
                && (scenario.isOutside(head) || !scenario.has(Rule.TRANSACTION_WAITS_FOR_RECORDS));
    }

    private static boolean isPlain(ModelRow row) {
        return !row.split() && row.starts() == 0;
    }

    private void begin(ModelState state, ModelNode node, int lane, ModelRow head, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        ModelState counted = state;
        if (head.split() && scenario.has(Rule.COUNT_BEFORE_RUN)) {
            ModelRow row = state.row(head.seq()).filter(ModelRow::split).orElse(null);
            if (row == null) {
                steps.add(node, "finds no more", head, state.with(node, lane, memory.readAgain()));
                return;
            }
            if (!row.isFree() || writes.isFenced(state, node, head, steps)) {
                return;
            }
            counted = state.with(row.counted());
        }
        ModelState begun = counted.with(node, lane, memory.begun(head));
        steps.add(
                node,
                "begins",
                head,
                scenario.isOutside(head) ? begun.with(state.ends().seen(lane, head.seq())) : begun);
    }
}
