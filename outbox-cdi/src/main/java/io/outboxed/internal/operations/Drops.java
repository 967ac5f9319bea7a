package io.outboxed.internal.operations;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.WaitingDelivery;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Witness;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.util.List;
import java.util.function.Consumer;

/** Drops the deliveries of a retired handler, each in its own transaction, and logs them: nothing else remains. */
public final class Drops {
    private static final int PAGE = 100;

    private final RetiredDeliveries deliveries;
    private final Witness witness;
    private final Consumer<WaitingDelivery> dropped;
    private int locked;

    /**
     * @param witness writes into the transaction of each
     * @param dropped gets each one after its commit; if it throws, the rest is left alone
     */
    public Drops(RetiredDeliveries deliveries, Witness witness, Consumer<WaitingDelivery> dropped) {
        this.deliveries = deliveries;
        this.witness = witness;
        this.dropped = dropped;
    }

    /** @return how many */
    public int drop(String handler, int atMost) {
        int count = 0;
        WaitingDelivery last = null;
        List<WaitingDelivery> page;
        while (count < atMost && !(page = deliveries.find(handler, last, Math.min(PAGE, atMost - count))).isEmpty()) {
            for (WaitingDelivery each : page) {
                last = each;
                count += drop(each) ? 1 : 0;
            }
        }
        return count;
    }

    private boolean drop(WaitingDelivery delivery) {
        switch (deliveries.drop(delivery, witness)) {
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
