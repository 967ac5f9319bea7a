package io.outboxed.internal.relay;

import io.outboxed.internal.store.Lease;

/**
 * One call of one handler, on its way to a worker.
 *
 * @param next of the same lane and handler, made by the same worker once this one has succeeded; null: none
 */
record Call(Run run, Delivery delivery, Lease lease, Call next) {

    String handler() {
        return delivery.handler();
    }
}
