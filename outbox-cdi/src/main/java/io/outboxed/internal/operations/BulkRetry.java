package io.outboxed.internal.operations;

import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingPage;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.jdbc.RetryNow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

/** Retries many deliveries batch by batch, the oldest first, each in a transaction of its own. */
record BulkRetry(MessageSearch search, RetryNow retries) {

    /**
     * One batch.
     *
     * @param noted the position that is stored, or null
     * @param reached its end, from which the next one continues; null if there was nothing left
     */
    record Batch(String noted, String reached, int changed) {}

    /**
     * Positions only rise, so that no delivery has its turn twice, even if it fails again before its batch ends. Whoever has
     * locked a message may be frozen or in doubt for hours: a batch waits only once.
     *
     * @param after the end of the previous batch, or null
     * @param limit how many are retried at most
     * @param recorder for the position that is stored, and the one that follows
     */
    Batch batch(WaitingFilter filter, String after, int limit, BiFunction<String, String, ChangeRecorder> recorder) {
        WaitingPage page = search.notDue(filter, WaitingPosition.of(after), limit);
        String noted = after;
        int changed = 0;
        AtomicBoolean mayWait = new AtomicBoolean(true);
        for (WaitingItem each : page.items()) {
            String here = WaitingPosition.of(each).text();
            if (retries.retryEarlier(
                    each.messageId(),
                    each.handler(),
                    recorder.apply(noted, here),
                    () -> mayWait.getAndSet(false),
                    () -> OutboxLog.waitingDeliveryLocked(each))) {
                noted = here;
                changed++;
            }
        }
        return new Batch(noted, page.next(), changed);
    }
}
