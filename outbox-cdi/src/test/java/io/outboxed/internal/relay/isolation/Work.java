package io.outboxed.internal.relay.isolation;

/** What a handler does with an event. */
@FunctionalInterface
interface Work {
    void handle(PublishedEvent event) throws Exception;
}
