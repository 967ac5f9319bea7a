package io.outboxed.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What is stored, who relays it, and what is paused, at one point in time. Counting the rows of a kind stops at {@link
 * #MAX_COUNT}: that number means "at least", and {@code atLeast} names the kind.
 *
 * @param at on the database's clock
 * @param ready messages that the relay can take immediately
 * @param parked messages that are delayed, or belong to one of too many long backlogs
 * @param waiting deliveries that wait for their next attempt or for a resume, or behind one that does
 * @param blocked deliveries that wait for an operator, and those behind them
 * @param dead dead letters
 * @param atLeast the names of the counts that stopped at their limit: "ready", "parked", "waiting", "blocked", "dead" or
 *     "blockedAggregates"; unmodifiable
 * @param blockedAggregates aggregates in which something waits for an operator; if {@code blocked} has stopped, so has
 *     this count
 * @param oldestAge for how long the oldest message that waits for the relay has been due, zero if there is none. What
 *     waits for an operator does not count; what is paused does
 * @param nodes the live ones, by label; unmodifiable. Other nodes declare a node dead after its lease; if there are
 *     none, it counts as live until it has been silent for 15 minutes
 * @param shards how many shards there are
 * @param unownedShards how many of them belong to no live node
 * @param pauses those in force, everything first, then by kind and name; unmodifiable
 */
public record OutboxStatus(
        Instant at,
        long ready,
        long parked,
        long waiting,
        long blocked,
        long dead,
        List<String> atLeast,
        long blockedAggregates,
        Duration oldestAge,
        List<NodeStatus> nodes,
        int shards,
        int unownedShards,
        List<Pause> pauses) {

    /** The number at which counting the rows of a kind stops: 100,000. */
    public static final int MAX_COUNT = 100_000;

    /**
     * Copies the lists.
     *
     * @param at when
     * @param ready messages
     * @param parked messages
     * @param waiting deliveries
     * @param blocked deliveries
     * @param dead dead letters
     * @param atLeast names of counts
     * @param blockedAggregates aggregates
     * @param oldestAge age
     * @param nodes live nodes
     * @param shards number
     * @param unownedShards number
     * @param pauses in force
     */
    public OutboxStatus {
        atLeast = List.copyOf(atLeast);
        nodes = List.copyOf(nodes);
        pauses = List.copyOf(pauses);
    }
}
