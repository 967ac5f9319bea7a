package io.outboxed.internal.relay;

import io.outboxed.internal.store.Lease;

/** One call of one handler, on its way to a worker. */
record Call(Run run, Delivery delivery, Lease lease) {
    String handler() {
        return delivery.handler();
    }
}
