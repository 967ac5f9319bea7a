package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** What is drawn before a simulated world begins, and the time limits that follow from it. */
final class SimulatedPlan {
    /** As long as guarantees.md allows between the insert of an event and its commit. */
    static final Duration LATEST_COMMIT = Duration.ofSeconds(Integer.getInteger("simulation.latest.commit", 60));

    /** Shorter than all tries of a delivery together. */
    static final Duration RECEIVER_DOWN = Duration.ofMillis(900);

    /** Many rounds of probes. */
    private static final Duration LONG_OUTAGE = Duration.ofMinutes(1);

    /** All that may accompany a backlog of retries; behind other backlogs a long wait is legitimate. */
    private static final Set<Feature> BESIDE_RETRIES = EnumSet.of(Feature.RETRY_BACKLOG, Feature.ROLLBACKS);

    /** Come by their themes or by name only, so that the seeds that have failed once keep their worlds. */
    private static final Set<Feature> NOT_DRAWN = EnumSet.of(
            Feature.ONE_PAGE,
            Feature.CATCH_ALL,
            Feature.FIRST_OF_A_GROUP,
            Feature.MANY_LONG_LANES,
            Feature.FORWARDERS,
            Feature.PAUSES,
            Feature.BATCHES,
            Feature.LANE_LOCKS,
            Feature.CLAIM_ROWS,
            Feature.LOST_SESSIONS,
            Feature.LOST_COUNTS,
            Feature.LOST_COMMITS,
            Feature.VANISHED_HOSTS,
            Feature.SLOW_HANDLER,
            Feature.LONG_OUTAGES);

    private static final Set<Feature> ONLY = named("simulation.only");
    private static final Set<Feature> WITHOUT = named("simulation.without");
    private static final Set<Feature> WITH = named("simulation.with");

    final Set<Feature> features;
    final OutboxConfig config;
    final int shards;
    final int aggregates;
    final int messages;
    final int nodes;
    final Duration lease;
    final Duration disturbed;
    /** The time in which everything is written. */
    final Duration writing;

    /** @param theme what the world is about; null: anything */
    SimulatedPlan(Random random, Theme theme) {
        this.features = draw(random, theme);
        this.shards = has(Feature.MANY_LONG_LANES) ? 1 : 1 << random.nextInt(3);
        this.aggregates = aggregates(random);
        this.messages = messages(random);
        this.nodes = nodes(random);
        this.lease = Duration.ofSeconds(has(Feature.VERY_LATE_COMMITS) ? 5 : 1);
        if (has(Feature.SLOW_HANDLER)) {
            this.writing = Duration.ofMillis(2_000 + random.nextInt(4_000));
            this.disturbed = writing.plusMillis(6_000 + random.nextInt(8_000));
        } else if (has(Feature.ZOMBIES)) {
            this.writing = Duration.ofMillis(500 + random.nextInt(2_500));
            this.disturbed = writing.plusMillis(1_500 + random.nextInt(2_500));
        } else if (has(Feature.RUSH)) {
            this.writing = Duration.ofMillis(50 + random.nextInt(500));
            this.disturbed = writing.plusMillis(200 + random.nextInt(1_000));
        } else if (has(Feature.LONG_OUTAGES)) {
            this.writing = LONG_OUTAGE.plusMillis(random.nextInt(30_000));
            this.disturbed = writing;
        } else {
            this.writing = has(Feature.VERY_LATE_COMMITS)
                    ? LATEST_COMMIT.plusSeconds(random.nextInt(30))
                    : Duration.ofMillis(2_000 + random.nextInt(4_000));
            this.disturbed = writing;
        }
        this.config = config(random);
    }

    private int nodes(Random random) {
        if (has(Feature.LONG_OUTAGES)) {
            return 1;
        }
        return has(Feature.ZOMBIES) ? 2 + random.nextInt(2) : 1 + random.nextInt(3);
    }

    private int aggregates(Random random) {
        if (has(Feature.RETRY_BACKLOG)) {
            return 3;
        }
        if (has(Feature.MANY_LONG_LANES) || has(Feature.SLOW_HANDLER)) {
            return 24 + random.nextInt(12);
        }
        if (has(Feature.LONG_OUTAGES)) {
            return 8 + random.nextInt(5);
        }
        return 1 + random.nextInt(has(Feature.ONE_PAGE) ? 2 : 8);
    }

    private int messages(Random random) {
        if (has(Feature.RETRY_BACKLOG)) {
            return 150;
        }
        if (has(Feature.MANY_LONG_LANES)) {
            return 500 + random.nextInt(200);
        }
        if (has(Feature.SLOW_HANDLER) || has(Feature.LONG_OUTAGES)) {
            return 100 + random.nextInt(100);
        }
        return has(Feature.RUSH) ? 60 + random.nextInt(100) : 10 + random.nextInt(60);
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** How long a receiver is down at most. */
    Duration longestOutage() {
        return has(Feature.LONG_OUTAGES) ? LONG_OUTAGE : Duration.ofSeconds(4);
    }

    Set<String> forwarders() {
        return has(Feature.FORWARDERS) ? SimulatedDeployment.OUTSIDE : Set.of();
    }

    boolean isUndisturbed() {
        // with unknown types the first nodes are of the older version, and die when they are replaced at the end
        return !has(Feature.UNKNOWN_TYPES) && features.stream().noneMatch(Feature::repeats);
    }

    /** One from the beginning to the end, and what it refuses to call, it refuses because the handler is down. */
    boolean hasOneNode() {
        return nodes == 1 && isUndisturbed() && !has(Feature.PAUSES) && !has(Feature.SLOW_HANDLER);
    }

    boolean keepsShards() {
        return features.stream().noneMatch(Feature::losesShards);
    }

    private static Set<Feature> draw(Random random, Theme theme) {
        Set<Feature> drawn = EnumSet.noneOf(Feature.class);
        boolean themed = theme != null || random.nextBoolean();
        int share = themed ? 1 : 1 + random.nextInt(5);
        if (themed) {
            // half of the worlds are about one thing
            Theme[] all = Arrays.stream(Theme.values())
                    .filter(each -> each.features().stream().noneMatch(NOT_DRAWN::contains))
                    .toArray(Theme[]::new);
            drawn.addAll((theme != null ? theme : all[random.nextInt(all.length)]).features());
        }
        for (Feature feature : Feature.values()) {
            if (!NOT_DRAWN.contains(feature)
                    && random.nextInt(feature == Feature.VERY_LATE_COMMITS ? 40 : 10) < share) {
                drawn.add(feature);
            }
        }
        if (drawn.contains(Feature.RETRY_BACKLOG)) {
            drawn.retainAll(BESIDE_RETRIES);
        }
        if (drawn.contains(Feature.HUNG_CALLS)) {
            // a shard in which a call hangs does not leave, so what the old version lacks waits there
            drawn.remove(Feature.OLD_VERSION);
        }
        if (!ONLY.isEmpty()) {
            drawn.retainAll(ONLY);
        }
        drawn.removeAll(WITHOUT);
        drawn.addAll(WITH);
        return drawn;
    }

    private static Set<Feature> named(String property) {
        return Arrays.stream(System.getProperty(property, "").split(","))
                .filter(name -> !name.isBlank())
                .map(name -> Feature.valueOf(name.strip().toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Feature.class)));
    }

    private OutboxConfig config(Random random) {
        int small = has(Feature.HUNG_CALLS) ? 64 : has(Feature.SLOW_HANDLER) ? 16 : 8;
        int maxInMemory = has(Feature.SMALL_MEMORY) ? small << random.nextInt(3) : 2_000;
        if (has(Feature.ONE_PAGE)) {
            maxInMemory = 33;
        }
        if (has(Feature.RETRY_BACKLOG)) {
            maxInMemory = 32;
        }
        return OutboxConfig.DEFAULTS
                .withRelay(new OutboxConfig.Relay(
                        true,
                        2 + random.nextInt(3),
                        1 + random.nextInt(6),
                        maxInMemory,
                        new OutboxConfig.Poll(Duration.ofMillis(10), Duration.ofMillis(500)),
                        LATEST_COMMIT,
                        lease,
                        Duration.ofMillis(500),
                        "simulated",
                        Set.of(),
                        ClaimStrategy.SHARDS))
                .withHandler(new OutboxConfig.Handler(
                        Duration.ofSeconds(2),
                        has(Feature.DOWN) ? 6 : 0,
                        has(Feature.LONG_OUTAGES) ? Duration.ofSeconds(5) : Duration.ofMillis(700),
                        has(Feature.BATCHES) && random.nextBoolean() ? 2 + random.nextInt(6) : 128))
                .withRetry(new OutboxConfig.Retry(
                        4, Duration.ofMillis(200), 2, Duration.ofSeconds(2), random.nextBoolean()))
                .withDeadLetters(new OutboxConfig.DeadLetters(has(Feature.BLOCK), Map.of()));
    }

    HandlerMoods moods(Random random) {
        return new HandlerMoods(
                has(Feature.FAILURES) ? 50 + random.nextInt(200) : 0,
                has(Feature.LOST_CLAIMS) ? 50 : 0,
                has(Feature.UNKNOWN_COMMITS) ? 100 : 0,
                has(Feature.DEFERRED) ? 50 : 0);
    }

    /** From the last fault until lost nodes have been replaced: after that every node should be working. */
    Duration takeover() {
        return lease.multipliedBy(3).plusSeconds(1);
    }

    /** How long anything that could be called may wait once no fault is left. */
    Duration patience() {
        Duration patience = Duration.ofSeconds(8);
        if (has(Feature.DOWN) && has(Feature.HUNG_CALLS)) {
            // a probe that hangs is followed by another after a minute
            patience = patience.plusSeconds(62);
        }
        if (has(Feature.OLD_VERSION)) {
            // a shard that was not idle is offered to the newer version again after ten seconds
            patience = patience.plusSeconds(12);
        }
        if (has(Feature.VERY_LATE_COMMITS) || has(Feature.LATE_COMMITS)) {
            // a read from the start goes through all shards in turn
            patience = patience.plusSeconds(35);
        }
        if (has(Feature.MANY_LONG_LANES)) {
            // behind hundreds of earlier events, a few of them in memory and answers that take milliseconds
            patience = patience.plusSeconds(60);
        }
        return patience;
    }

    @Override
    public String toString() {
        return features + ", " + shards + " shards, " + aggregates + " aggregates, " + messages
                + " messages, at most in memory " + config.relay().maxInMemory();
    }
}
