package io.outboxed.internal.handlers;

import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.TransactionalAck;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Claims and acknowledges in a table with one column more than it needs. */
@ApplicationScoped
class TableAcks implements TransactionalAck {

    @Inject
    Database database;

    private Runnable beforeClaim = () -> {};
    private Runnable beforeAcknowledge = () -> {};

    void beforeClaim(Runnable action) {
        beforeClaim = action;
    }

    void beforeAcknowledge(Runnable action) {
        beforeAcknowledge = action;
    }

    @Override
    public void claim(MessageHead head) {
        beforeClaim.run();
        one(database.update(
                "UPDATE message SET version = version + 1 WHERE seq = ? AND version = ?", head.seq(), head.version()));
    }

    @Override
    public void acknowledge(MessageHead head, String handler, AckMode ackMode) {
        beforeAcknowledge.run();
        one(database.update("DELETE FROM message WHERE seq = ? AND version = ?", head.seq(), head.version() + 1));
    }

    private static void one(int count) {
        if (count != 1) {
            throw new ClaimLostException(count + " rows");
        }
    }
}
