package io.outboxed.faults.app.operator;

import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.faults.app.InjectedFaults;
import io.outboxed.faults.app.Journal;
import io.outboxed.faults.app.Micros;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Discards dead letters of poison. */
@ApplicationScoped
public class Discards {
    private static final DeadLetterFilter OF_POISON = DeadLetterFilter.all().error(InjectedFaults.POISON);
    private static final int BULK_PER_SECOND = 2;
    /** The transaction that has stored an older one can't be open any more, whatever its node suffers. */
    private static final Duration SURE_TO_BE_SEEN = Duration.ofSeconds(20);

    @Inject
    BulkChanges bulk;

    @Inject
    Journal journal;

    /**
     * All that are old enough, as a bulk operation: any node continues it.
     *
     * @return how many there were; none while another one continues
     */
    public int inBulk() throws SQLException {
        return bulk.start(
                OF_POISON.diedUntil(
                        Instant.EPOCH.plus(Micros.now(), ChronoUnit.MICROS).minus(SURE_TO_BE_SEEN)),
                (letter, payload) -> journal.mayBeDiscarded(letter.handler(), payload),
                filter -> BulkRequest.discard(filter).perSecond(BULK_PER_SECOND),
                "a bulk discard under fire");
    }
}
