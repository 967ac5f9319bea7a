package io.outboxed.it.handlers;

import io.outboxed.Idempotent;
import io.outboxed.Inbox;
import io.outboxed.OutboxMessage;
import io.outboxed.it.handlers.Events.Repeated;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Effects of deliveries that are repeated, each in a transaction of its own. */
@ApplicationScoped
public class OnceEffects {

    @Inject
    Inbox inbox;

    @Inject
    Notes notes;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transactions;

    @Transactional
    public boolean byHand(OutboxMessage message) {
        return inbox.once(message, "byHand", () -> notes.take("byHand"));
    }

    @Idempotent
    @Transactional
    public void annotated() {
        notes.take("annotated");
    }

    /** Rolled back at the first two tries, with its row. */
    @Idempotent
    @Transactional(TxType.REQUIRES_NEW)
    void apartOnce(@Observes Repeated event) {
        int call = notes.take("apartOnce");
        if (call == 1) {
            throw new IllegalStateException("the first call fails");
        }
        if (call == 2) {
            transactions.setRollbackOnly();
        }
    }
}
