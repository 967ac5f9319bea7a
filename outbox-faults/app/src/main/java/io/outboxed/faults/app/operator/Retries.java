package io.outboxed.faults.app.operator;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingState;
import io.outboxed.faults.app.Micros;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes due what waits for its next attempt. */
@ApplicationScoped
public class Retries {
    private static final WaitingFilter WAITING = WaitingFilter.in(WaitingState.WAITING);
    private static final int BULK_PER_SECOND = 5;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A node works on bulk operations once a second. What is due before its turn is left alone. */
    private static final long LONG_MICROS = TimeUnit.SECONDS.toMicros(1);

    @Inject
    OutboxAdmin admin;

    /**
     * All that wait, as a bulk operation: any node continues it. It begins once something waits for long enough.
     *
     * @return how many there were; none while an earlier one continues, or if nothing waited for so long
     */
    public int inBulk() {
        long deadline = System.nanoTime() + LONGEST_NANOS;
        while (!waitsLong()) {
            if (System.nanoTime() > deadline) {
                return 0;
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        try {
            BulkRequest request = BulkRequest.retry(WAITING).perSecond(BULK_PER_SECOND);
            return (int) admin.start(request, new Attribution("faults", "faults", "a bulk retry under fire"))
                    .matched();
        } catch (OperationRunningException e) {
            return 0;
        }
    }

    private boolean waitsLong() {
        long soon = Micros.now() + LONG_MICROS;
        return admin.previewRetry(WAITING).oldest().stream()
                .map(WaitingItem::dueAt)
                .anyMatch(due -> ChronoUnit.MICROS.between(Instant.EPOCH, due) > soon);
    }
}
