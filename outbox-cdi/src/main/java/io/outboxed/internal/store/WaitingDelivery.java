package io.outboxed.internal.store;

/**
 * A delivery row that waits, with its message.
 *
 * @param attempts counted attempts so far
 */
public record WaitingDelivery(MessageHead head, String handler, String group, int attempts) {

    /** @param current the head of the same message, with its present version */
    public WaitingDelivery with(MessageHead current) {
        return new WaitingDelivery(current, handler, group, attempts);
    }
}
