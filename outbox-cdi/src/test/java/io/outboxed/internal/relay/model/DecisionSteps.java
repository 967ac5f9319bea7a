package io.outboxed.internal.relay.model;

import io.outboxed.internal.relay.model.ModelLane.Phase;
import io.outboxed.internal.relay.model.ModelNode.Lease;
import java.util.List;
import java.util.function.Function;

/** What only the shard's owner may do: start suspects, decide on failures, set messages aside, store dead letters. */
final class DecisionSteps {
    private final Scenario scenario;

    DecisionSteps(Scenario scenario) {
        this.scenario = scenario;
    }

    /** @return whether the shard's row has a later epoch: the node drops what it believed it held */
    boolean isFenced(ModelState state, ModelNode node, ModelRow about, Step.Sink steps) {
        boolean fenced = node.lease() == Lease.STALE && scenario.has(Rule.EPOCH_FENCE);
        if (fenced) {
            steps.add(node, "is fenced and drops the shard:", about, state.with(node.withoutLease()));
        }
        return fenced;
    }

    void start(ModelState state, ModelNode node, int lane, ModelRow head, Step.Sink steps) {
        if (!node.lanes().get(lane).successes().isEmpty() || isFenced(state, node, head, steps)) {
            return;
        }
        ModelLane memory = node.lanes().get(lane);
        ModelRow row = state.row(head.seq()).orElse(null);
        if (row == null || row.split() || row.version() != head.version()) {
            steps.add(node, "finds changed", head, state.with(node, lane, memory.readAgain()));
            return;
        }
        boolean followersFree = state.rows().stream().noneMatch(each -> follows(each, lane, head) && !each.isFree());
        if (!row.isFree() || !followersFree && scenario.has(Rule.START_IS_WHOLE)) {
            return;
        }
        ModelState counted = state.changed(each -> each == row ? each.started() : raised(each, lane, head))
                .with(state.ends().writes(node.lease() == Lease.CURRENT));
        List<ModelRow> read = memory.queue().stream()
                .map(each -> each == head ? each.started() : raised(each, lane, head))
                .toList();
        steps.add(
                node,
                "counts the start of",
                head,
                counted.with(node.startedLane(lane).with(lane, memory.fetched(read))));
        if (state.faults() > 0) {
            ModelState unanswered = counted.fault().with(node, lane, memory.readAgain());
            steps.add(node, "gets no answer to the start of", head, unanswered);
        }
    }

    private ModelRow raised(ModelRow row, int lane, ModelRow head) {
        boolean raises = scenario.has(Rule.START_RAISES_FOLLOWERS) && follows(row, lane, head) && row.isFree();
        return raises ? row.raised() : row;
    }

    private boolean follows(ModelRow row, int lane, ModelRow head) {
        return row.seq() > head.seq() && !row.split() && scenario.laneOf(row) == lane;
    }

    /** What failed, once the successes before it are recorded. */
    void resolve(ModelState state, ModelNode node, int lane, Step.Sink steps) {
        ModelLane memory = node.lanes().get(lane);
        boolean recorded = memory.successes().isEmpty() || !scenario.has(Rule.OUTCOMES_IN_ORDER);
        if (memory.phase() != Phase.FAILED || !recorded) {
            return;
        }
        ModelRow run = memory.running();
        if (run.attempts() + 1 >= Scenario.MOST_ATTEMPTS) {
            write("stores a dead letter for", state, node, lane, run, memory.ended(), row -> null, steps);
        } else {
            write(
                    "schedules a retry of",
                    state,
                    node,
                    lane,
                    run,
                    memory.ended(),
                    row -> row.parked(run.attempts() + 1, false),
                    steps);
        }
    }

    void setAside(ModelState state, ModelNode node, int lane, ModelRow head, Step.Sink steps) {
        ModelLane next = node.lanes().get(lane).skipped();
        write("sets aside", state, node, lane, head, next, row -> row.split() ? row : row.parked(0, true), steps);
    }

    void deadLetter(ModelState state, ModelNode node, int lane, ModelRow head, Step.Sink steps) {
        write(
                "stores a dead letter for",
                state,
                node,
                lane,
                head,
                node.lanes().get(lane).skipped(),
                row -> null,
                steps);
    }

    private void write(
            String what,
            ModelState state,
            ModelNode node,
            int lane,
            ModelRow about,
            ModelLane after,
            Function<ModelRow, ModelRow> resolution,
            Step.Sink steps) {
        ModelRow row = state.row(about.seq()).orElse(null);
        if (row != null && !row.isFree() || isFenced(state, node, about, steps)) {
            return;
        }
        ModelState writes = state.with(state.ends().writes(node.lease() == Lease.CURRENT));
        if (row != null) {
            ModelRow resolved = resolution.apply(row);
            writes = resolved != null
                    ? writes.with(resolved)
                    : writes.deleted(row).with(writes.ends().deadLettered(row.message()));
        }
        steps.add(node, what, about, writes.with(node, lane, after));
        if (state.faults() > 0) {
            ModelState unanswered = writes.fault().with(node, lane, after.readAgain());
            steps.add(node, "gets no answer when it " + what, about, unanswered);
        }
    }
}
