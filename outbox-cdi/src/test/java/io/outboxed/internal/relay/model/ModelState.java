package io.outboxed.internal.relay.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The whole system at one moment: one shard, its rows, two nodes.
 *
 * @param rows ordered by seq
 * @param owner of the shard: a node's number, {@link #GONE} or {@link #FREE}
 * @param replayed the message that was replayed, -1 for none; one is enough, and it comes behind all others
 * @param faults that may still happen
 */
record ModelState(List<ModelRow> rows, int owner, List<ModelNode> nodes, Ends ends, int replayed, int faults) {
    /** A name that never beats again. */
    static final int GONE = 2;
    /** Released cleanly. */
    static final int FREE = 3;

    static ModelState first(Scenario scenario) {
        List<ModelRow> rows = new ArrayList<>();
        for (int message = 0; message < scenario.lanes().size(); message++) {
            rows.add(ModelRow.inserted(message + 1, message));
        }
        int lanes = Integer.bitCount(scenario.allLanes());
        List<ModelNode> nodes = List.of(
                ModelNode.fresh(0, lanes).leased(ModelNode.Lease.CURRENT, scenario.allLanes()),
                ModelNode.fresh(1, lanes));
        return new ModelState(List.copyOf(rows), 0, nodes, Ends.none(lanes), -1, scenario.faults());
    }

    Optional<ModelRow> row(int seq) {
        for (ModelRow row : rows) {
            if (row.seq() == seq) {
                return Optional.of(row);
            }
        }
        return Optional.empty();
    }

    ModelNode other(ModelNode node) {
        return nodes.get(1 - node.number());
    }

    ModelState with(ModelNode node) {
        List<ModelNode> now = node.number() == 0 ? List.of(node, nodes.get(1)) : List.of(nodes.get(0), node);
        return new ModelState(rows, owner, now, ends, replayed, faults);
    }

    ModelState with(ModelNode node, int lane, ModelLane now) {
        return with(node.with(lane, now));
    }

    ModelState owned(int by) {
        return new ModelState(rows, by, nodes, ends, replayed, faults);
    }

    ModelState with(ModelRow changed) {
        return changed(row -> row.seq() == changed.seq() ? changed : row);
    }

    ModelState changed(UnaryOperator<ModelRow> change) {
        return with(rows.stream().map(change).toList());
    }

    private ModelState with(List<ModelRow> now) {
        return new ModelState(now, owner, nodes, ends, replayed, faults);
    }

    ModelState deleted(ModelRow gone) {
        return with(rows.stream().filter(row -> row.seq() != gone.seq()).toList());
    }

    ModelState with(Ends now) {
        return new ModelState(rows, owner, nodes, now, replayed, faults);
    }

    ModelState replayed(ModelRow row) {
        List<ModelRow> now = new ArrayList<>(rows);
        now.add(row);
        now.sort(Comparator.comparingInt(ModelRow::seq));
        return new ModelState(List.copyOf(now), owner, nodes, ends.replayed(row.message()), row.message(), faults);
    }

    ModelState fault() {
        return new ModelState(rows, owner, nodes, ends, replayed, faults - 1);
    }

    boolean isDrained() {
        return rows.isEmpty();
    }
}
