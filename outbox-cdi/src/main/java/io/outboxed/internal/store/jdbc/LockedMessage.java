package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MessageKey;

/**
 * A row that this transaction has locked.
 *
 * @param due when its delay has passed
 * @param delayed it has not passed yet
 */
record LockedMessage(MessageKey key, MessageState status, int version, long due, boolean delayed) {

    /** The row has never been updated: no other row belongs to it. */
    boolean isUntouched() {
        return status == MessageState.READY && version == 0;
    }
}
