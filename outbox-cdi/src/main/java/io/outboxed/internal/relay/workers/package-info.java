/**
 * The threads that call handlers, and those that record successes of handlers outside a transaction.
 */
package io.outboxed.internal.relay.workers;
