package io.outboxed.internal.relay.model;

import io.outboxed.internal.relay.model.ModelRow.Hold;

/** Crashes, and what happens in the database without a node: due times, replays, transactions of others. */
final class FaultSteps {
    private final Scenario scenario;

    FaultSteps(Scenario scenario) {
        this.scenario = scenario;
    }

    /** Restarts at once; the old name keeps the shard until it is declared dead. */
    static ModelState crashed(ModelState state, ModelNode node) {
        Hold own = Hold.of(node);
        ModelState left = state.changed(row -> row.hold() == own ? row.heldBy(Hold.IN_DOUBT) : row)
                .with(ModelNode.fresh(node.number(), node.lanes().size()));
        return state.owner() == node.number() ? left.owned(ModelState.GONE) : left;
    }

    void crash(ModelState state, ModelNode node, Step.Sink steps) {
        boolean matters = node.hasLease() || !node.isIdle() || state.owner() == node.number();
        if (state.faults() > 0 && matters) {
            steps.add(node, "crashes and starts again", null, crashed(state.fault(), node));
        }
    }

    void database(ModelState state, Step.Sink steps) {
        for (ModelRow row : state.rows()) {
            if (row.split() && !row.due()) {
                add(steps, "due now:", row, state.with(row.dueNow()));
            }
            if (row.hold() == Hold.IN_DOUBT) {
                Ends ends = state.ends().committed(scenario.laneOf(row), row);
                add(
                        steps,
                        "the transaction in doubt commits:",
                        row,
                        state.deleted(row).with(ends));
                add(steps, "the transaction in doubt rolls back:", row, state.with(row.heldBy(Hold.NONE)));
            } else if (row.hold() == Hold.ELSEWHERE) {
                add(steps, "released:", row, state.with(row.heldBy(Hold.NONE)));
            } else if (row.isFree() && scenario.isOutside(row) && state.faults() > 0) {
                add(steps, "held by a frozen transaction:", row, state.fault().with(row.heldBy(Hold.ELSEWHERE)));
            }
        }
        replay(state, steps);
    }

    private void replay(ModelState state, Step.Sink steps) {
        int messages = scenario.lanes().size();
        for (int message = 0; message < messages && state.replayed() < 0; message++) {
            if (state.ends().isDead(message)) {
                int seq = scenario.has(Rule.REPLAY_BEHIND) ? messages + 1 : message + 1;
                ModelRow row = ModelRow.inserted(seq, message);
                add(steps, "replayed:", row, state.replayed(row));
            }
        }
    }

    private static void add(Step.Sink steps, String what, ModelRow row, ModelState next) {
        steps.add(new Step(-1, what, row, next));
    }
}
