package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.Optional;

/**
 * How a node is, read from memory.
 *
 * @param owner the name under which it joined; null before
 * @param shards that it holds
 * @param running calls of handlers
 * @param sinceTurn since the loop ended its last round, however that ended
 * @param sinceBeat since the membership ended its last round, however that ended
 * @param sinceGoodBeat since the database last took the node's beat
 */
public record RelayStatus(
        String owner,
        int shards,
        int running,
        Duration sinceTurn,
        Duration sinceBeat,
        Optional<Duration> sinceGoodBeat) {}
