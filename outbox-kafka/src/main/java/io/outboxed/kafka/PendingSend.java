package io.outboxed.kafka;

import java.util.concurrent.Callable;

/** An event on its way to the broker. */
@FunctionalInterface
interface PendingSend extends Callable<Void> {
    /** Of an event that is not forwarded. */
    PendingSend NOTHING = () -> null;

    /**
     * Returns once the broker has stored the event on all replicas that it waits for.
     *
     * @throws BrokerNotReadyException if that is not certain
     */
    @Override
    Void call();
}
