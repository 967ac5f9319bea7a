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
 * Which messages go into the history when a transactional delivery ends them. What the database has refused once is
 * delivered again without: nothing optional may keep a message from being settled.
 */
public class History {
    public static final History NONE = new History(dropped -> {}) {
        @Override
        boolean keeps(MessageHead head) {
            return false;
        }
    };

    private static final int MOST_REMEMBERED = 10_000;

    private final Consumer<StoreException> dropped;
    private final Set<UUID> refused =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<UUID, Boolean>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
                    return size() > MOST_REMEMBERED;
                }
            }));

    /** @param dropped hears of each refused row */
    public History(Consumer<StoreException> dropped) {
        this.dropped = dropped;
    }

    boolean keeps(MessageHead head) {
        return !refused.contains(head.id());
    }

    /** @return to be thrown: the delivery is to be repeated, and no try of its handler is counted */
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
