/**
 * What all parts of a relay share: the view of the handlers, the clocks, the configuration. Depends on the store and
 * the JDK, not on the container.
 *
 * <p>Packages correspond to threads: {@code relay.node} starts them and manages the node's shards, {@code relay.loop}
 * is the single thread that owns all lanes and decides, {@code relay.workers} are the many that call handlers and
 * acknowledge. Workers do not depend on the loop.
 */
package io.outboxed.internal.relay;
