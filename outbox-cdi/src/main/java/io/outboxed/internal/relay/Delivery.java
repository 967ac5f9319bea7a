package io.outboxed.internal.relay;

import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;

/**
 * One try of one handler with one message.
 *
 * @param attempt which try this is, from 1
 * @param how how a transactional handler's success is recorded
 */
public record Delivery(MessageHead head, MessageBody body, String handler, int attempt, AckMode how) {

    public HandlerKey key() {
        return new HandlerKey(head.type(), handler);
    }
}
