package io.outboxed.internal.relay.node;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.store.InboxRetention;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Deletes old rows of the inbox on the node that holds shard 0: one batch a minute, or, as long as batches are full,
 * one after another with pauses. Runs on the sampler's thread.
 */
final class InboxCleaner {
    static final int BATCH = 1_000;
    /** The pause after a full batch is this many times as long as the batch took. */
    private static final int PAUSE = 4;

    private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

    private final InboxRetention store;
    private final BooleanSupplier isOurs;
    private final Duration retention;
    private final LongSupplier nanoClock;
    private final OutageLog outage = new OutageLog(OutboxLog::inboxCleaningFailed, OutboxLog::inboxCleaningRecovered);
    private long dueAt;

    /** @param isOurs whether this node holds the shard, and its lease */
    InboxCleaner(InboxRetention store, BooleanSupplier isOurs, Duration retention, LongSupplier nanoClock) {
        this.store = store;
        this.isOurs = isOurs;
        this.retention = retention;
        this.nanoClock = nanoClock;
        this.dueAt = nanoClock.getAsLong();
    }

    /** @return nanoseconds until the next round */
    long round() {
        long startedAt = nanoClock.getAsLong();
        if (startedAt - dueAt >= 0) {
            boolean full = isOurs.getAsBoolean() && deleteBatch();
            long endedAt = nanoClock.getAsLong();
            dueAt = endedAt + (full ? PAUSE * (endedAt - startedAt) : INTERVAL);
        }
        return Math.max(0, dueAt - nanoClock.getAsLong());
    }

    private boolean deleteBatch() {
        try {
            int deleted = store.forget(retention, BATCH);
            outage.worked();
            return deleted == BATCH;
        } catch (StoreException e) {
            outage.failed(e);
            return false;
        }
    }
}
