package io.outboxed.internal.store;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.List;

/** What the contracts of an operator's work share. */
interface OperationsContract extends JdbcContract {
    Attribution ALICE = new Attribution("alice", "rest", "mail server is down");

    default OutboxOperations operations() {
        return OutboxOperations.open(jdbc().source(), jdbc().prefix());
    }

    default List<AuditEntry> audit(OutboxOperations operations) {
        return operations.audit().page(null, 100).entries();
    }
}
