package io.outboxed.internal.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One handler's part of one event, as the history sees it. */
final class ExpectedDelivery {
    final String handler;
    final UUID id;
    final String aggregate;
    /** Its place in the order of its aggregate. */
    final long number;

    final boolean required;
    /** Whether a call of this event may belong to an earlier delivery, which ended as a dead letter. */
    final boolean replay;

    /** Has had no place in the order before: a node that has lost its lease may not know of it. */
    boolean adopted;

    int effects;
    boolean finished;
    final List<String> trail = new ArrayList<>();

    ExpectedDelivery(String handler, UUID id, String aggregate, long number, boolean required, boolean replay) {
        this.handler = handler;
        this.id = id;
        this.aggregate = aggregate;
        this.number = number;
        this.required = required;
        this.replay = replay;
    }

    @Override
    public String toString() {
        return handler + " of " + aggregate + " " + number + " (" + id + ")";
    }
}
