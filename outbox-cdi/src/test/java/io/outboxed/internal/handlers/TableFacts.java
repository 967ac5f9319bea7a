package io.outboxed.internal.handlers;

import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.TransactionalAck;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Marks and settles in a table with one column more than it needs. */
@ApplicationScoped
class TableFacts implements TransactionalAck {

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
    public void mark(MessageHead head) {
        beforeMark.run();
        one(database.update(
                "UPDATE message SET version = version + 1 WHERE seq = ? AND version = ?", head.seq(), head.version()));
    }

    @Override
    public void acknowledge(MessageHead head, String handler, AckMode how) {
        beforeSettle.run();
        one(database.update("DELETE FROM message WHERE seq = ? AND version = ?", head.seq(), head.version() + 1));
    }

    private static void one(int count) {
        if (count != 1) {
            throw new ClaimLostException(count + " rows");
        }
    }
}
