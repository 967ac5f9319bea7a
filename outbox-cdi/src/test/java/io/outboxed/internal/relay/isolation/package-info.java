/**
 * How handlers affect each other: {@code IsolationRun}, which is started by name, on a real database. Its parts are
 * {@code FiveHandlers} and {@code DeadDownstream}.
 */
package io.outboxed.internal.relay.isolation;
