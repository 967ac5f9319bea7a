/** Which nodes are alive, and which node relays which shard. */
package io.outboxed.internal.store.cluster;
