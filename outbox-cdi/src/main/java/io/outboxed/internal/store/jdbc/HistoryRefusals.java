package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.MessageHead;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Decides which messages are kept in the history when a transactional delivery completes them. If the database has
 * rejected a message once, it is delivered again without history: nothing optional may keep a message from being
 * completed.
 */
public class HistoryRefusals {
    public static final HistoryRefusals NONE = new HistoryRefusals(dropped -> {}) {
        @Override
        boolean keeps(MessageHead head) {
            return false;
        }
    };

    private static final int MAX_REMEMBERED = 10_000;

    private final Consumer<StoreException> dropped;
    private final Set<UUID> refused =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<UUID, Boolean>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            }));

    /** @param dropped called for each rejected row */
    public HistoryRefusals(Consumer<StoreException> dropped) {
        this.dropped = dropped;
    }

    boolean keeps(MessageHead head) {
        return !refused.contains(head.id());
    }

    /** @return the exception to throw: the delivery is repeated, and the attempt does not count */
    StoreException refused(MessageHead head, SQLException failure) {
        refused.add(head.id());
        StoreException refusal = new StoreException(
                SqlFailure.toStoreException("INSERT history", failure).getMessage() + "; the delivery of message "
                        + head.id() + " is repeated without it",
                true,
                failure);
        dropped.accept(refusal);
        return refusal;
    }
}
