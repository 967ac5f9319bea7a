/** What of the backlog is in this node's memory. Used by the loop's thread only. */
package io.outboxed.internal.relay.memory;
