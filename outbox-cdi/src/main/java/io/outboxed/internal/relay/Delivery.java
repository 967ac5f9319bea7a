package io.outboxed.internal.relay;

import io.outboxed.internal.store.Body;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Settlement;

/**
 * One try of one handler with one message.
 *
 * @param attempt which try this is, from 1
 * @param how how a transactional handler's success is recorded
 */
public record Delivery(Head head, Body body, String handler, int attempt, Settlement how) {

    public HandlerKey key() {
        return new HandlerKey(head.type(), handler);
    }
}
