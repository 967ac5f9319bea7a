/**
 * What the parts of a relay share: the handlers as it sees them, its clocks, its configuration. Knows the store and the
 * JDK, not the container.
 *
 * <p>Packages are threads: {@code relay.node} starts them and keeps the node's shards, {@code relay.loop} is the one thread that
 * owns all lanes and decides, {@code relay.workers} are the many that call handlers and acknowledge. Workers do not know
 * the loop.
 */
package io.outboxed.internal.relay;
