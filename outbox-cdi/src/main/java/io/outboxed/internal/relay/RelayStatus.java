package io.outboxed.internal.relay;

import io.outboxed.admin.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The status of a node, read from memory.
 *
 * @param owner the node's owner id; null before it has joined
 * @param shards the number of shards that it holds
 * @param running handler calls
 * @param noWorkerFor how long all workers and spare ones have been stuck in calls that ignore their interrupt; zero if
 *     one is left
 * @param sinceIteration since the loop's last round ended, whether it succeeded or failed
 * @param sinceMembershipRound since the membership's last round ended, whether it succeeded or failed
 * @param sinceHeartbeat since the database last accepted the node's heartbeat
 * @param pauses what operators have paused, as this node last read it
 */
public record RelayStatus(
        String owner,
        int shards,
        int running,
        Duration noWorkerFor,
        Duration sinceIteration,
        Duration sinceMembershipRound,
        Optional<Duration> sinceHeartbeat,
        List<Pause> pauses) {}
