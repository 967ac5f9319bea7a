/** What all nodes share: which nodes are alive, which node relays which shard, and which handlers are registered. */
package io.outboxed.internal.store.cluster;
