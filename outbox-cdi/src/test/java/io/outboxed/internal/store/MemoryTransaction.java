package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A delivery's transaction on {@link MemoryStore}: its changes are invisible before the commit, its rows are locked.
 */
public final class MemoryTransaction implements TransactionalAck {

    /** A real database would make the caller wait for the row's lock. */
    public static final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final MemoryTables tables;
    private final Set<Row> locked = new LinkedHashSet<>();
    private final List<Runnable> changes = new ArrayList<>();
    /** The versions that the rows have since. */
    private final Map<Row, Integer> claimed = new HashMap<>();

    MemoryTransaction(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void claim(MessageHead head) {
        Row row = tables.row(head);
        if (row != null && row.lockedBy != null && row.lockedBy != this) {
            throw new BusyException();
        }
        if (row == null || row.version != head.version()) {
            throw new ClaimLostException("claim: " + head.id());
        }
        row.lockedBy = this;
        locked.add(row);
        claimed.put(row, head.version() + 1);
    }

    @Override
    public void acknowledge(MessageHead head, String handler, AckMode ackMode) {
        if (!isClaimed(head)) {
            throw new ClaimLostException("acknowledge: " + head.id());
        }
        DeliveryKey key = new DeliveryKey(head.id(), handler);
        boolean waiting = ackMode == AckMode.DELETE_DELIVERY;
        if (waiting != (tables.delivery(head, handler) != null)) {
            throw new ClaimLostException("delivery row of " + head.id() + " " + handler);
        }
        changes.add(() -> {
            switch (ackMode) {
                case DELETE_MESSAGE -> tables.delete(head);
                case ADD_DONE_ROW -> {
                    tables.deliveries.put(key, DeliveryRow.done(head));
                    answered(tables.row(head));
                }
                case DELETE_DELIVERY -> {
                    tables.dropDelivery(head, handler);
                    answered(tables.row(head));
                    if (!tables.hasDeliveries(head)) {
                        tables.delete(head);
                    }
                }
            }
        });
    }

    private static void answered(Row row) {
        row.version += 2;
        row.starts = 0;
    }

    private boolean isClaimed(MessageHead head) {
        Integer version = claimed.get(tables.row(head));
        return version != null && version == head.version() + 1;
    }

    /**
     * As a business transaction cancels an event.
     *
     * @return false if there is no such message, or it may have been started
     */
    public boolean cancel(UUID id, long nowMicros) {
        for (Row row : tables.messages.all()) {
            if (row.first.id().equals(id) && row.isDelayed(nowMicros) && row.status != MessageState.SPLIT) {
                if (row.lockedBy != null && row.lockedBy != this) {
                    throw new BusyException();
                }
                row.lockedBy = this;
                locked.add(row);
                changes.add(() -> tables.delete(row.first));
                return true;
            }
        }
        return false;
    }

    /** A handler's own write: part of the transaction. */
    public void enlist(Runnable effect) {
        changes.add(effect);
    }

    public void commit() {
        changes.forEach(Runnable::run);
        release();
    }

    public void rollback() {
        release();
    }

    private void release() {
        locked.forEach(row -> row.lockedBy = null);
        locked.clear();
        changes.clear();
        claimed.clear();
    }
}
