package io.outboxed.faults.app.next;

import io.outboxed.OutboxMessage;
import io.outboxed.faults.app.Deposited;
import io.outboxed.faults.app.Journal;
import io.outboxed.faults.app.Withdrawn;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** A new handler of existing types: it must get everything that the next version publishes, on whichever node. */
@ApplicationScoped
public class Auditor {

    @Inject
    Journal journal;

    @Transactional(TxType.NOT_SUPPORTED)
    void deposited(@Observes Deposited event, OutboxMessage message) {
        note(event.account(), event.number(), event.id(), message);
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void withdrawn(@Observes Withdrawn event, OutboxMessage message) {
        note(event.account(), event.number(), event.id(), message);
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void transferred(@Observes Transferred event, OutboxMessage message) {
        note(event.account(), event.number(), event.id(), message);
    }

    private void note(String account, long number, String id, OutboxMessage message) {
        try (Journal.Call call = journal.begin("Auditor", id, account, number, message)) {
            call.succeeded();
        }
    }
}
