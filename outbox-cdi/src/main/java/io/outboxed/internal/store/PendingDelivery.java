package io.outboxed.internal.store;

/**
 * A pending delivery row with its message.
 *
 * @param attempts counted attempts so far
 * @param last whether this is the only delivery row of the message
 */
public record PendingDelivery(MessageHead head, String handler, String group, int attempts, boolean last) {}
