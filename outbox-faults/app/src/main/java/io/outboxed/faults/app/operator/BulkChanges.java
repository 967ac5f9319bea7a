package io.outboxed.faults.app.operator;

import io.outboxed.DeadLetter;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.OperationRunningException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Starts bulk operations on dead letters that are recorded, and on no later ones. */
@ApplicationScoped
public class BulkChanges {

    @Inject
    RecordedLetters letters;

    @Inject
    OutboxAdmin admin;

    /**
     * @param before is told of each dead letter and its payload, before the operation starts
     * @return how many dead letters there were; none while another operation on dead letters continues
     */
    int start(
            DeadLetterFilter filter,
            BiConsumer<DeadLetter, String> before,
            Function<DeadLetterFilter, BulkRequest> request,
            String reason)
            throws SQLException {
        if (admin.operations().stream().anyMatch(BulkChanges::isRunning)) {
            return 0;
        }
        AtomicReference<Instant> last = new AtomicReference<>(Instant.EPOCH);
        int found = letters.each(filter, (letter, payload) -> {
            last.accumulateAndGet(letter.diedAt(), (one, other) -> one.isAfter(other) ? one : other);
            before.accept(letter, payload);
            return true;
        });
        if (found == 0) {
            return 0;
        }
        try {
            Instant until = last.get().plus(1, ChronoUnit.MICROS);
            admin.start(request.apply(filter.diedUntil(until)), new Attribution("faults", "faults", reason));
            return found;
        } catch (OperationRunningException e) {
            return 0;
        }
    }

    private static boolean isRunning(BulkOperation operation) {
        return operation.state() == BulkOperation.State.RUNNING
                && operation.request().kind() != BulkRequest.Kind.RETRY;
    }
}
