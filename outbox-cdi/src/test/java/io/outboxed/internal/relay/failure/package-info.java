/**
 * When and whether a failure is tried again: start at {@code FailurePolicyTest}.
 */
package io.outboxed.internal.relay.failure;
