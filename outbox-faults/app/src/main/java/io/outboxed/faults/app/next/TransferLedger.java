package io.outboxed.faults.app.next;

import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.faults.app.Ledger;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.sql.SQLException;

/** The ledger's handler of the new type, in the ledger's group: the previous version must not overtake it. */
@ApplicationScoped
@HandlerGroup("Ledger")
public class TransferLedger {

    @Inject
    Ledger ledger;

    @HandlerName("Ledger.transferred")
    void transferred(@Observes Transferred event, OutboxMessage message) throws SQLException {
        ledger.book(event.account(), event.number(), event.id(), event.fault(), message);
    }
}
