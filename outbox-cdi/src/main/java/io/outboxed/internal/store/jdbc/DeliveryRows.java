package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.MessageKey;
import io.outboxed.internal.store.sql.Sql;
import io.outboxed.internal.store.sql.StateCodes;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What is stored about the deliveries of some messages. */
final class DeliveryRows {
    private DeliveryRows() {}

    record Delivery(MessageKey message, String handler, String group, DeliveryState state) {
        boolean isWaiting() {
            return state == DeliveryState.WAITING;
        }

        boolean isOpen() {
            return state != DeliveryState.DONE;
        }
    }

    static List<Delivery> of(Jdbc jdbc, Sql sql, Collection<UUID> messages) throws SQLException {
        Object[] ids = distinct(messages);
        return ids.length == 0
                ? List.of()
                : jdbc.list(
                        sql.deliveries.ofMessages(ids.length),
                        row -> new Delivery(
                                new MessageKey(row.getLong("seq"), jdbc.uuid(row, "message_id")),
                                row.getString("handler"),
                                row.getString("handler_group"),
                                StateCodes.deliveryState(row)),
                        ids);
    }

    /** Which of these messages have dead letters. */
    static Set<UUID> withDeadLetters(Jdbc jdbc, Sql sql, Collection<UUID> messages) throws SQLException {
        Object[] ids = distinct(messages);
        return ids.length == 0
                ? Set.of()
                : new HashSet<>(
                        jdbc.list(sql.deadLetters.anyDead(ids.length), row -> jdbc.uuid(row, "message_id"), ids));
    }

    private static Object[] distinct(Collection<UUID> messages) {
        return messages.stream().distinct().toArray();
    }
}
