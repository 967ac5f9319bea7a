package io.outboxed.faults.app;

import io.outboxed.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Handles a reminder when it is due. */
@ApplicationScoped
public class Bell {

    @Inject
    Journal journal;

    @Transactional(TxType.NOT_SUPPORTED)
    void ring(@Observes Reminder event, OutboxMessage message) {
        try (Journal.Call call = journal.begin("Bell", event.id(), "", 0, message)) {
            call.succeeded();
        }
    }
}
