package io.outboxed.internal.operations;

import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.ListedDelivery;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.util.List;
import java.util.function.Consumer;

/** Drops the deliveries of a retired handler, each in its own transaction, and logs them: nothing else remains. */
public final class Drops {
    private static final int PAGE = 100;

    private final RetiredDeliveries deliveries;
    private final ChangeRecorder recorder;
    private final Consumer<ListedDelivery> dropped;
    private int locked;

    /**
     * @param recorder writes into the transaction of each
     * @param dropped gets each one after its commit; if it throws, the rest is left alone
     */
    public Drops(RetiredDeliveries deliveries, ChangeRecorder recorder, Consumer<ListedDelivery> dropped) {
        this.deliveries = deliveries;
        this.recorder = recorder;
        this.dropped = dropped;
    }

    /** @return how many */
    public int drop(String handler, int atMost) {
        int count = 0;
        ListedDelivery last = null;
        List<ListedDelivery> page;
        while (count < atMost && !(page = deliveries.find(handler, last, Math.min(PAGE, atMost - count))).isEmpty()) {
            for (ListedDelivery each : page) {
                last = each;
                count += drop(each) ? 1 : 0;
            }
        }
        return count;
    }

    private boolean drop(ListedDelivery delivery) {
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

    /** How many were left because another transaction had locked their message. */
    public int locked() {
        return locked;
    }
}
