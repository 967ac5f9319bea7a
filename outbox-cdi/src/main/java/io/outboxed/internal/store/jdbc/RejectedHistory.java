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
public final class RejectedHistory {
    private static final int MAX_REMEMBERED = 10_000;

    private final boolean keepHistory;
    private final Consumer<StoreException> dropped;
    private final Set<UUID> rejected =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<UUID, Boolean>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            }));

    /**
     * @param keepHistory false: none is kept
     * @param dropped called for each rejected row
     */
    public RejectedHistory(boolean keepHistory, Consumer<StoreException> dropped) {
        this.keepHistory = keepHistory;
        this.dropped = dropped;
    }

    boolean keeps(MessageHead head) {
        return keepHistory && !rejected.contains(head.id());
    }

    /** @return the exception to throw: the delivery is repeated, and the attempt does not count */
    StoreException rejected(MessageHead head, SQLException failure) {
        rejected.add(head.id());
        StoreException rejection = new StoreException(
                SqlFailure.toStoreException("INSERT history", failure).getMessage() + "; the delivery of message "
                        + head.id() + " is repeated without it",
                true,
                failure);
        dropped.accept(rejection);
        return rejection;
    }
}
