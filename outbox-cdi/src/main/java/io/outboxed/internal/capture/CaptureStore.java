package io.outboxed.internal.capture;

import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.store.jdbc.caller.InboxEntry;
import java.util.List;
import java.util.UUID;

/** The statements of capture. Each is executed in the calling thread's transaction before the method returns. */
interface CaptureStore {
    void write(List<OutboxRow> rows);

    /** Waits until no other transaction has locked the aggregate; the lock ends with the transaction. */
    void lock(String aggregateId);

    /**
     * Inserts a row of the inbox, unless it exists. Waits for the end of another transaction that has inserted it.
     *
     * @param call identifies this call
     * @return the first call for the message: the given one if it has inserted the row
     */
    UUID firstCall(String receiver, String messageId, UUID call);

    /** Which of these rows of the inbox, inserted in this transaction, are gone. */
    List<InboxEntry> missing(List<InboxEntry> entries);

    /** Whether a message or a dead letter with this id is stored. */
    boolean isStored(UUID id);

    /**
     * Deletes a message that no relay can have started.
     *
     * @return false if there is none with this id
     */
    boolean cancel(UUID id);

    /** The database's clock, in microseconds since 1970. */
    long now();
}
