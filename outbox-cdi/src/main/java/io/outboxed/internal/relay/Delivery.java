package io.outboxed.internal.relay;

import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;

/**
 * One attempt of one handler with one message.
 *
 * @param attempt the number of this attempt, from 1
 * @param ackMode how the success of a transactional handler is recorded
 */
public record Delivery(MessageHead head, MessageBody body, String handler, int attempt, AckMode ackMode) {

    public HandlerKey key() {
        return new HandlerKey(head.type(), handler);
    }
}
