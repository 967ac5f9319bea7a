package io.outboxed.internal.store;

/**
 * A pending delivery row with its message.
 *
 * @param attempts counted attempts so far
 */
public record PendingDelivery(MessageHead head, String handler, String group, int attempts) {

    /** @param current the head of the same message, with its present version */
    public PendingDelivery with(MessageHead current) {
        return new PendingDelivery(current, handler, group, attempts);
    }
}
