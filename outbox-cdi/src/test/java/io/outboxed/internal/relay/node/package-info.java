/**
 * Leases and shards: start at {@code MembershipTest}.
 */
package io.outboxed.internal.relay.node;
