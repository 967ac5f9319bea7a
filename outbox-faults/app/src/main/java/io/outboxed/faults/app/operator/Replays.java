package io.outboxed.faults.app.operator;

import io.outboxed.DeadLetters;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;

/** Replays all dead letters. */
@ApplicationScoped
public class Replays {
    private static final int PAGE = 500;
    private static final int BULK_PER_SECOND = 2;

    @Inject
    RecordedLetters letters;

    @Inject
    DeadLetters deadLetters;

    @Inject
    BulkChanges bulk;

    /**
     * All with one call. They are not recorded, so the driver has to know them.
     *
     * @return how many
     */
    public int all() {
        int replayed = 0;
        for (int more = PAGE; more == PAGE; replayed += more) {
            more = deadLetters.replay(DeadLetterFilter.all(), PAGE, true);
        }
        return replayed;
    }

    /**
     * Each by itself.
     *
     * @return how many
     */
    public int eachByItself() throws SQLException {
        return letters.each(
                DeadLetterFilter.all(),
                (letter, payload) ->
                        deadLetters.replay(letter.messageId(), letter.handler(), true) == ReplayResult.REPLAYED);
    }

    /**
     * All that exist now, as a bulk operation: any node continues it. It is slow, so that faults come in between.
     *
     * @return how many there were; none while another one continues
     */
    public int inBulk() throws SQLException {
        return bulk.start(
                DeadLetterFilter.all(),
                (letter, payload) -> {},
                filter -> BulkRequest.replay(filter).allowReordering(true).perSecond(BULK_PER_SECOND),
                "a bulk replay under fire");
    }
}
