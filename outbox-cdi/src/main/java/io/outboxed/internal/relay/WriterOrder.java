package io.outboxed.internal.relay;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Detects writers that are not serialised: an event becomes visible after a later one of its aggregate. Serialised
 * writers never cause this, because the second one can't insert before the first one has committed. Two aggregates may
 * share a lane, so both events must have the same aggregate; if the row of one of them is gone, nothing is reported.
 */
public final class WriterOrder {
    private final MessageReads store;
    private final OutboxMeters meters;

    public WriterOrder(MessageReads store, OutboxMeters meters) {
        this.store = store;
        this.meters = meters;
    }

    /** @param later an event of the same lane with a higher number, which was seen before */
    public record Overtaken(MessageHead head, MessageHead later) {}

    public void report(List<Overtaken> overtaken) {
        if (overtaken.isEmpty()) {
            return;
        }
        Map<Long, MessageBody> bodies = bodies(overtaken);
        for (Overtaken each : overtaken) {
            if (isOneAggregate(body(each.head(), bodies), body(each.later(), bodies))) {
                OutboxLog.outOfOrder(each.head());
                meters.outOfOrder();
            }
        }
    }

    private Map<Long, MessageBody> bodies(List<Overtaken> overtaken) {
        Map<Long, MessageBody> bodies = new HashMap<>();
        List<Long> unknown = overtaken.stream()
                .flatMap(each -> Stream.of(each.head(), each.later()))
                .filter(head -> head.body() == null)
                .map(MessageHead::seq)
                .distinct()
                .toList();
        if (!unknown.isEmpty()) {
            store.bodiesWithoutPayload(unknown).forEach(body -> bodies.put(body.seq(), body));
        }
        return bodies;
    }

    /** Null if the row is gone. */
    private static MessageBody body(MessageHead head, Map<Long, MessageBody> bodies) {
        return head.body() != null ? head.body() : bodies.get(head.seq());
    }

    private static boolean isOneAggregate(MessageBody one, MessageBody other) {
        return one != null
                && other != null
                && one.aggregateId() != null
                && !one.aggregateId().isEmpty()
                && one.aggregateId().equals(other.aggregateId())
                && Objects.equals(one.aggregateType(), other.aggregateType());
    }
}
