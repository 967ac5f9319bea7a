package io.outboxed.internal.boot;

import io.outboxed.admin.Attribution;
import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.operations.AuditTrail;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.CleanupPass;
import java.util.UUID;

/** What a node's own cleanup writes into the audit: of the dead letters that it deletes, nothing else remains. */
final class CleanupAudit {
    private static final String WHY = "older than outbox.dead-letter.retention";

    private final AuditTrail audit;
    private final Attribution by;

    /** @param node its human-readable name */
    CleanupAudit(AuditTrail audit, String node) {
        this.audit = audit;
        this.by = new Attribution(
                node.substring(0, Math.min(node.length(), Attribution.MAX_WHO)), AuditTrail.VIA_NODE, WHY);
    }

    /** One row for the whole pass, which each batch brings up to date. */
    BatchRecorder<CleanupPass> ofOnePass() {
        UUID id = UUID.randomUUID();
        return (jdbc, after) -> {
            if (after.table() == AgedTable.DEAD_LETTERS) {
                String target = Counted.of(after.deleted(), "row") + " of "
                        + after.table().suffix();
                audit.sum(jdbc, id, by, "cleanup", target, after.deleted());
            }
        };
    }
}
