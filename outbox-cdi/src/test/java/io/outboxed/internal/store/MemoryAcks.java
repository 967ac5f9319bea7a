package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.Row;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The successes of handlers outside a transaction. */
final class MemoryAcks implements Acks {
    private final MemoryTables tables;

    MemoryAcks(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void acknowledge(List<Ack> batch) {
        Set<MessageHead> held = new LinkedHashSet<>();
        for (Ack each : batch) {
            Row row = tables.row(each.head());
            if (row != null && row.lockedBy != null) {
                held.add(each.head());
            } else if (row != null) {
                each.requireNothingLost(row.status, row.version);
            }
        }
        Map<Row, Integer> versions = new HashMap<>();
        for (Ack each : batch) {
            Row row = tables.row(each.head());
            if (row != null && held.stream().noneMatch(head -> isBehind(each.head(), head))) {
                versions.putIfAbsent(row, row.version);
                acknowledge(row, versions.get(row), each);
            }
        }
        if (!held.isEmpty()) {
            throw MemoryTables.held(held.iterator().next().id());
        }
    }

    private static boolean isBehind(MessageHead head, MessageHead held) {
        return head.lane() == held.lane() && head.seq() >= held.seq();
    }

    /** The row's present status decides: a late fact neither revives a message nor leaves rows behind. */
    private void acknowledge(Row row, int version, Ack each) {
        MessageHead head = each.head();
        if (row.status == MessageState.SPLIT) {
            if (each.ackMode() != AckMode.DELETE_DELIVERY) {
                return;
            }
            DeliveryRow delivery = tables.delivery(head, each.handler());
            if (delivery == null || delivery.state != DeliveryState.WAITING) {
                return;
            }
            row.version++;
            row.starts = 0;
            tables.dropDelivery(head, each.handler());
            if (!tables.hasDeliveries(head)) {
                tables.delete(head);
            }
        } else if (version == head.version()) {
            row.version++;
            if (each.ackMode() == AckMode.DELETE_MESSAGE) {
                tables.delete(head);
            } else {
                tables.deliveries.put(new DeliveryKey(head.id(), each.handler()), DeliveryRow.done(head));
            }
        }
    }
}
