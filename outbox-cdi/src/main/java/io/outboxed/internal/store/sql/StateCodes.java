package io.outboxed.internal.store.sql;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What the columns outbox_message.status and outbox_delivery.state contain. Their rows have a {@code seq}. */
public final class StateCodes {
    private StateCodes() {}

    public static MessageState messageState(ResultSet row) throws SQLException {
        int status = row.getInt("status");
        return switch (status) {
            case 0 -> MessageState.READY;
            case 2 -> MessageState.PARKED;
            case 3 -> MessageState.SPLIT;
            default -> throw unknown(row, "message table has status " + status + ", expected 0, 2 or 3");
        };
    }

    public static DeliveryState deliveryState(ResultSet row) throws SQLException {
        int state = row.getInt("state");
        return switch (state) {
            case 0 -> DeliveryState.WAITING;
            case 1 -> DeliveryState.DONE;
            case 2 -> DeliveryState.BLOCKED;
            default -> throw unknown(row, "delivery table has state " + state + ", expected 0, 1 or 2");
        };
    }

    public static int code(DeliveryState state) {
        return switch (state) {
            case WAITING -> 0;
            case DONE -> 1;
            case BLOCKED -> 2;
        };
    }

    private static StoreException unknown(ResultSet row, String what) throws SQLException {
        return new StoreException(
                "seq " + row.getLong("seq") + " of the " + what
                        + ": another program, or a newer version of the library, has written it",
                false,
                null);
    }
}
