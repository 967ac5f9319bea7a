package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Handler;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.relay.Notifications;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * A handler that works, first alone and then beside others of its type: one fails, one hangs, one is slow, one is not
 * on every node, and one comes with a rolling deployment. By their names, the one that works is called last.
 */
final class FiveHandlers {
    static final String ALONE = "alone";
    static final String ALONE_REPLACED = "alone, while a node is replaced";
    static final String SHARDS_MOVE = "beside the others, while shards move";
    static final String CALLS_HANG = "beside the others, as calls begin to hang";
    static final String BESIDE = "beside the others";
    static final String BESIDE_REPLACED = "beside the others, while a node is replaced";

    static final String FAILS = "fails";
    static final String HANGS = "hangs";
    static final String NEWER = "newer";
    static final String NEWEST = "newest";
    static final String SLOW = "slow";
    static final String WORKS = "works";
    static final int TRIES = 3;
    static final Duration DEFER_DELAY = Duration.ofSeconds(5);
    static final String OLDEST_NODE = "A";
    static final String NEWEST_NODE = "C";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Work NOTHING = event -> {};
    private static final OutboxConfig CONFIG = OutboxConfig.DEFAULTS
            .withHandler(new Handler(Duration.ofSeconds(5), 10, DEFER_DELAY, 128))
            .withRetry(new Retry(TRIES, Duration.ofMillis(50), 2, Duration.ofMillis(200), true));

    final CallLog log;
    final Troubles troubles = new Troubles();
    private final IsolationDatabase database;
    private final PacedLoad load;
    private final int seconds;
    private long newestRegisteredAt;
    private long left;

    /** @param seconds that each of the two measurements takes */
    FiveHandlers(IsolationDatabase database, CallLog log, PacedLoad load, int seconds) {
        this.database = database;
        this.log = log;
        this.load = load;
        this.seconds = seconds;
    }

    void runAlone() throws Exception {
        Map<String, Work> works = Map.of(WORKS, NOTHING);
        try (IsolationNode first = node("first", works).withShards();
                IsolationNode second = node("second", works).withShards()) {
            load.publishAs(first, second);
            load.publish("warm-up", seconds / 4);
            load.publish(ALONE, seconds);
            try (IsolationNode third = replace(first, second, () -> node("third", works), ALONE_REPLACED)) {
                left = database.leftWithin(PATIENCE);
            }
        }
    }

    void runBesideTheOthers() throws Exception {
        Map<String, Work> oldest =
                Map.of(FAILS, troubles::fail, HANGS, NOTHING, SLOW, troubles::beSlow, WORKS, NOTHING);
        Map<String, Work> newer = with(with(oldest, HANGS, troubles::hang), NEWER, NOTHING);
        Map<String, Work> newest = with(newer, NEWEST, NOTHING);
        try (IsolationNode a = node(OLDEST_NODE, oldest).withShards();
                IsolationNode b = node("B", newer).withShards()) {
            load.publishAs(a, b);
            load.publish(SHARDS_MOVE, Math.max(10, seconds / 3));
            troubles.beginToHang();
            load.publish(CALLS_HANG, 10);
            load.publish(BESIDE, seconds / 2);
            try (IsolationNode c = replace(a, b, () -> node(NEWEST_NODE, newest), BESIDE_REPLACED)) {
                load.publish(BESIDE, seconds / 4);
                troubles.release();
                load.publish(BESIDE, seconds / 4);
                left += database.leftWithin(PATIENCE);
            }
        } finally {
            troubles.release();
        }
    }

    /** Rows that were left two minutes after the last event, although they should not be. */
    long left() {
        return left;
    }

    int rate() {
        return load.rate();
    }

    /** When the newest handler was registered. */
    long newestRegisteredAt() {
        return newestRegisteredAt;
    }

    private IsolationNode node(String name, Map<String, Work> works) {
        IsolationNode node = new IsolationNode(
                database, CONFIG, RecordedHandlers.ofOneType(name, log, works), new Notifications() {});
        if (works.containsKey(NEWEST)) {
            newestRegisteredAt = node.registeredAt();
        }
        return node;
    }

    private static Map<String, Work> with(Map<String, Work> works, String name, Work work) {
        Map<String, Work> more = new HashMap<>(works);
        more.put(name, work);
        return more;
    }

    /** While events are published, a node stops and another one starts. */
    private IsolationNode replace(
            IsolationNode leaving, IsolationNode staying, Supplier<IsolationNode> joining, String phase)
            throws Exception {
        Future<Void> publishing = load.begin(phase, Math.max(10, seconds / 3));
        load.publishAs(staying);
        leaving.close();
        IsolationNode joined = joining.get();
        load.publishAs(staying, joined);
        publishing.get();
        return joined;
    }
}
