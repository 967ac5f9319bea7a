/** Who is alive, and who relays which shard. */
package io.outboxed.internal.store.cluster;
