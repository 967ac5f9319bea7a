package io.outboxed.internal.boot;

import java.util.concurrent.Executor;

/**
 * What a relay runs on.
 *
 * @param threads for its loops, which do not end before the relay
 * @param handlers for finite tasks that call handlers
 * @param handlersRunOn describes {@code handlers} in the start-up report
 */
public record RelayExecutors(Executor threads, Executor handlers, String handlersRunOn) {}
