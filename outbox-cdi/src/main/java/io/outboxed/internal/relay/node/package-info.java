/** A node: its threads, its leases, its shards. */
package io.outboxed.internal.relay.node;
