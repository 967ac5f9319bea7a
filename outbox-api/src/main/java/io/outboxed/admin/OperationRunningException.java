package io.outboxed.admin;

import io.outboxed.OutboxException;
import java.util.Locale;
import java.util.UUID;

/**
 * Refuses a bulk operation because another one, which has not ended, may select the same dead letters or deliveries.
 * Nothing was started.
 */
public class OperationRunningException extends OutboxException {
    private static final long serialVersionUID = 1L;

    /** The operation that has not ended. */
    private final UUID operationId;

    /**
     * Names the operation that has not ended.
     *
     * @param running the operation, not null
     */
    public OperationRunningException(BulkOperation running) {
        super(
                "OUTBOX-0914",
                "bulk operation " + running.id() + ", a "
                        + running.request().kind().name().toLowerCase(Locale.ROOT) + " that "
                        + running.attribution().who()
                        + " has started, has not ended and may select the same "
                        + (running.request().kind() == BulkRequest.Kind.RETRY ? "deliveries" : "dead letters")
                        + ": nothing was started."
                        + " Wait for its end, or cancel it");
        this.operationId = running.id();
    }

    /**
     * The operation that has not ended.
     *
     * @return its id, never null
     */
    public UUID operationId() {
        return operationId;
    }
}
