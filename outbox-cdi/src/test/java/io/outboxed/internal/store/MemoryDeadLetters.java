package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.internal.store.MemoryTables.Dead;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/** What was given up, and how an operator brings it back. */
final class MemoryDeadLetters {
    private final MemoryTables tables;
    private final LongSupplier micros;

    MemoryDeadLetters(MemoryTables tables, LongSupplier micros) {
        this.tables = tables;
        this.micros = micros;
    }

    List<MemoryStore.DeadLetterId> ids() {
        return tables.dead.keySet().stream()
                .map(key -> new MemoryStore.DeadLetterId(key.message(), key.handler()))
                .toList();
    }

    Map<DeliveryKey, Dead> all() {
        return tables.dead;
    }

    boolean contains(UUID message, String handler) {
        return tables.dead.containsKey(new DeliveryKey(message, handler));
    }

    boolean isBlocked(DeliveryKey key) {
        DeliveryRow row = tables.deliveries.get(key);
        return row != null && row.state == DeliveryState.BLOCKED;
    }

    /** A skipped letter becomes a new row at the end of its lane, a blocked one continues in its place. */
    boolean replay(UUID message, String handler) {
        DeliveryKey key = new DeliveryKey(message, handler);
        Dead letter = tables.dead.remove(key);
        if (letter == null) {
            return false;
        }
        MessageHead head = letter.row().first;
        DeliveryRow delivery = tables.delivery(head, handler);
        if (delivery != null && delivery.state == DeliveryState.BLOCKED) {
            delivery.state = DeliveryState.WAITING;
            delivery.attempts = 0;
            delivery.error = null;
            delivery.dueAt = now();
            tables.row(head).version++;
            tables.refresh(head.lane(), head.shard(), letter.group());
        } else {
            tables.insertAgain(letter.row(), handler);
        }
        return true;
    }

    private long now() {
        return micros.getAsLong();
    }
}
