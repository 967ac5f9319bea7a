package io.outboxed.internal.relay.isolation;

/**
 * One call that has ended.
 *
 * @param node its name
 * @param began by {@link System#nanoTime}, as is {@code ended}
 */
record HandlerCall(
        String handler, String node, PublishedEvent event, int attempt, long began, long ended, boolean succeeded) {}
