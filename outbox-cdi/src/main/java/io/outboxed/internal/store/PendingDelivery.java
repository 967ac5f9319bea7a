package io.outboxed.internal.store;

/**
 * A pending delivery row with its message.
 *
 * @param attempts counted attempts so far
 * @param last no other delivery row of this message is left
 */
public record PendingDelivery(MessageHead head, String handler, String group, int attempts, boolean last) {}
