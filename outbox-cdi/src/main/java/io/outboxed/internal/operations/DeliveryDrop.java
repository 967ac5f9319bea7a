package io.outboxed.internal.operations;

import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.RetiredDelivery;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Drops the deliveries of a retired handler, each in its own transaction, and logs them: nothing else remains. */
public final class DeliveryDrop implements AutoCloseable {
    /**
     * After this time a node knows that a handler is retired, and has stored what it decided before: it uses what it has
     * read of the registry for 5 s. Not so if it stood still or could not write meanwhile: it tries to store a decision
     * for as long as it owns the shard, and so may add a delivery later.
     */
    public static final Duration NOTICED_WITHIN = Duration.ofSeconds(10);

    private static final int PAGE = 100;

    private final RetiredDeliveries deliveries;
    private final ChangeRecorder recorder;
    private final Consumer<RetiredDelivery> dropped;
    private int locked;

    /**
     * @param deliveries are closed with this object
     * @param recorder writes into the transaction of each
     * @param dropped gets each one after its commit; if it throws, the rest is left alone
     */
    DeliveryDrop(RetiredDeliveries deliveries, ChangeRecorder recorder, Consumer<RetiredDelivery> dropped) {
        this.deliveries = deliveries;
        this.recorder = recorder;
        this.dropped = dropped;
    }

    /**
     * Makes one pass. What nodes add meanwhile in a lane that the pass has left is not found.
     *
     * @return how many
     */
    public int drop(String handler, int atMost) {
        int count = 0;
        locked = 0;
        RetiredDelivery last = null;
        List<RetiredDelivery> page;
        while (count < atMost && !(page = deliveries.find(handler, last, Math.min(PAGE, atMost - count))).isEmpty()) {
            for (RetiredDelivery each : page) {
                last = each;
                count += drop(each) ? 1 : 0;
            }
        }
        return count;
    }

    private boolean drop(RetiredDelivery delivery) {
        switch (deliveries.drop(delivery, recorder)) {
            case DROPPED -> {
                OutboxLog.dropped(delivery);
                dropped.accept(delivery);
                return true;
            }
            case LOCKED -> locked++;
            case GONE -> {}
        }
        return false;
    }

    /** How many the last pass has left because another transaction had locked their message. */
    public int locked() {
        return locked;
    }

    @Override
    public void close() {
        deliveries.close();
    }
}
