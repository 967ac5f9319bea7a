package io.outboxed.internal.relay.model;

import java.util.Optional;

/** What holds in every state. */
final class Promises {
    private final Scenario scenario;

    Promises(Scenario scenario) {
        this.scenario = scenario;
    }

    /** @return what is broken */
    Optional<String> broken(ModelState state) {
        Ends ends = state.ends();
        if (ends.foreign()) {
            return Optional.of("a node without the epoch has decided");
        }
        if (ends.twice() != 0) {
            return Optional.of("a transactional handler has had two effects");
        }
        for (int message = 0; message < scenario.lanes().size(); message++) {
            if (!ends.isDone(message) && !ends.isDead(message) && !isStored(state, message)) {
                return Optional.of("m" + message + " is lost");
            }
        }
        for (int lane = 0; lane < ends.last().size(); lane++) {
            Optional<String> broken = brokenInLane(state, lane);
            if (broken.isPresent()) {
                return broken;
            }
        }
        return Optional.empty();
    }

    private static boolean isStored(ModelState state, int message) {
        return state.rows().stream().anyMatch(row -> row.message() == message);
    }

    private Optional<String> brokenInLane(ModelState state, int lane) {
        if (state.nodes().stream().allMatch(node -> works(node, lane))) {
            return Optional.of("two nodes with valid leases are in lane " + lane);
        }
        for (ModelNode node : state.nodes()) {
            if (works(node, lane)) {
                ModelLane memory = node.lanes().get(lane);
                for (ModelRow row : state.rows()) {
                    if (scenario.laneOf(row) == lane
                            && row.seq() < memory.running().seq()
                            && memory.successes().stream().noneMatch(success -> success.seq() == row.seq())) {
                        return Optional.of("node " + node.number() + " has begun m"
                                + memory.running().message() + " before m" + row.message() + " is done or dead");
                    }
                }
            }
        }
        return olderLast(state, lane);
    }

    private static boolean works(ModelNode node, int lane) {
        ModelLane memory = node.lanes().get(lane);
        return node.hasValidLease() && memory.running() != null && !memory.orphan();
    }

    /** What the receiver saw before an older event must still come again, or have a dead letter. */
    private Optional<String> olderLast(ModelState state, int lane) {
        int messages = scenario.lanes().size();
        for (int seq = state.ends().last().get(lane) + 1; seq <= messages + 1; seq++) {
            int message = seq <= messages ? seq - 1 : state.replayed();
            if (message >= 0
                    && scenario.lanes().get(message) == lane
                    && state.ends().isSeen(seq)
                    && state.row(seq).isEmpty()
                    && !state.ends().isDead(message)
                    && (seq > messages || message != state.replayed())) {
                return Optional.of("the receiver is left with an older event than m" + message);
            }
        }
        return Optional.empty();
    }
}
