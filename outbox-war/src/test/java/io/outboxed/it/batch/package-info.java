/**
 * A handler that takes the waiting events of an aggregate in one call, in a server. Start with {@code BatchIT};
 * {@code Counters} publishes the events and handles them. Without a server: {@code BatchesTest} in {@code outbox-cdi}.
 */
package io.outboxed.it.batch;
