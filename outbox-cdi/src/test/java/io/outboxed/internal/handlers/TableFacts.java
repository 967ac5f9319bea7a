package io.outboxed.internal.handlers;

import io.outboxed.internal.store.DeliveryFacts;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.LostMarkException;
import io.outboxed.internal.store.Settlement;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Marks and settles in a table of one column more than needed. */
@ApplicationScoped
class TableFacts implements DeliveryFacts {

    @Inject
    Database database;

    private Runnable beforeMark = () -> {};
    private Runnable beforeSettle = () -> {};

    void beforeMark(Runnable action) {
        beforeMark = action;
    }

    void beforeSettle(Runnable action) {
        beforeSettle = action;
    }

    @Override
    public void mark(Head head) {
        beforeMark.run();
        one(database.update(
                "UPDATE message SET version = version + 1 WHERE seq = ? AND version = ?", head.seq(), head.version()));
    }

    @Override
    public void settle(Head head, String handler, Settlement how) {
        beforeSettle.run();
        one(database.update("DELETE FROM message WHERE seq = ? AND version = ?", head.seq(), head.version() + 1));
    }

    private static void one(int count) {
        if (count != 1) {
            throw new LostMarkException(count + " rows");
        }
    }
}
