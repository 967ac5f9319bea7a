package io.outboxed.internal.relay.model;

import java.util.ArrayList;
import java.util.List;

/**
 * One lane in a node's memory.
 *
 * @param queue what was read and has not begun
 * @param running what has begun, null if nothing
 * @param successes successes outside a transaction, to be recorded in this order
 * @param orphan its lease is gone: what runs or is to be recorded ends first, and nothing else begins before
 */
record ModelLane(List<ModelRow> queue, ModelRow running, Phase phase, List<ModelRow> successes, boolean orphan) {
    static final ModelLane EMPTY = new ModelLane(List.of(), null, Phase.IDLE, List.of(), false);

    enum Phase {
        IDLE,
        /** The lease was valid a moment ago. An outside handler has been reached. */
        CALLED,
        /** A transactional handler is in its transaction. */
        IN_TRANSACTION,
        /** The database has silently rolled back the transaction. */
        UNDONE,
        FAILED
    }

    boolean isBusy() {
        return running != null || !successes.isEmpty();
    }

    boolean isEmpty() {
        return !isBusy() && queue.isEmpty();
    }

    ModelLane fetched(List<ModelRow> rows) {
        return new ModelLane(List.copyOf(rows), running, phase, successes, orphan);
    }

    ModelLane begun(ModelRow head) {
        return new ModelLane(tail(), head, Phase.CALLED, successes, orphan);
    }

    ModelLane skipped() {
        return fetched(tail());
    }

    private List<ModelRow> tail() {
        return queue.subList(1, queue.size());
    }

    ModelLane in(Phase next) {
        return new ModelLane(queue, running, next, successes, orphan);
    }

    ModelLane ended() {
        return new ModelLane(queue, null, Phase.IDLE, successes, orphan).orphanEnded();
    }

    ModelLane succeeded() {
        List<ModelRow> more = new ArrayList<>(successes);
        more.add(running);
        return new ModelLane(queue, null, Phase.IDLE, List.copyOf(more), orphan);
    }

    ModelLane recorded(List<ModelRow> left) {
        return new ModelLane(queue, running, phase, List.copyOf(left), orphan).orphanEnded();
    }

    /** Drops what has not been called; the rest ends by itself. */
    ModelLane dropped() {
        boolean calls = phase != Phase.FAILED && running != null;
        return new ModelLane(List.of(), calls ? running : null, calls ? phase : Phase.IDLE, successes, true)
                .orphanEnded();
    }

    /** What ran is over without an outcome, and the lane is read again. */
    ModelLane readAgain() {
        return new ModelLane(List.of(), null, Phase.IDLE, successes, orphan).orphanEnded();
    }

    private ModelLane orphanEnded() {
        return new ModelLane(queue, running, phase, successes, orphan && isBusy());
    }
}
