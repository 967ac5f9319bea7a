package io.outboxed.internal.relay.isolation;

import java.util.UUID;

/**
 * An event as its publisher knows it.
 *
 * @param number its place in its aggregate, from 1
 * @param phase of the run
 * @param publisher the name of the node that published it
 * @param due when it was to be published, by {@link System#nanoTime}: a late publisher hides no wait
 */
record PublishedEvent(UUID id, int aggregate, int number, String phase, String publisher, long due) {}
