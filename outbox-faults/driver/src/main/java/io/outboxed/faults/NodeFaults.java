package io.outboxed.faults;

import io.outboxed.faults.history.Outages.Outage;

/** What is done to a single node, and repaired again. */
final class NodeFaults {
    private static final long DISTURBED_MILLIS = 10_000;
    private static final double LOSS = 0.1;

    private final Cluster cluster;

    NodeFaults(Cluster cluster) {
        this.cluster = cluster;
    }

    /** How long or how severe it is. */
    static long millis(Fault fault, double draw) {
        return switch (fault) {
            case FREEZE_PAST_LEASE -> between(11_000, 17_000, draw);
            case FREEZE_SHORTLY -> between(500, 9_000, draw);
            case HALF_OPEN -> between(3_000, 25_000, draw);
            case LOSE_ANSWERS -> between(3_000, 15_000, draw);
            case LATENCY -> between(20, 150, draw);
            case EXHAUST_POOL -> between(5_000, 15_000, draw);
            case HANGING_HANDLERS -> between(5_000, 30_000, draw);
            case LOSE_PACKETS -> DISTURBED_MILLIS;
            case RESTART_NODE,
                    CHANGE_VERSION,
                    CUT_CONNECTIONS,
                    STUCK_HANDLER,
                    OUT_OF_MEMORY,
                    REPLAY,
                    BULK_REPLAY,
                    BULK_RETRY -> 0;
            default -> between(0, 4_000, draw);
        };
    }

    void begin(Fault fault, Node node, long millis, boolean reset) {
        switch (fault) {
            case KILL_NODE -> cluster.hurt(node, () -> restart(node, node::kill, millis));
            case RESTART_NODE -> cluster.hurt(node, () -> restart(node, node::stop, 0));
            case CHANGE_VERSION -> cluster.hurt(node, () -> change(node));
            case FREEZE_PAST_LEASE, FREEZE_SHORTLY -> cluster.hurt(node, () -> node.freezeFor(millis));
            case HALF_OPEN -> cluster.hurt(node, () -> halfOpen(node, millis, reset));
            case LOSE_ANSWERS -> cluster.hurt(node, () -> loseAnswers(node, millis, reset));
            case LOSE_PACKETS -> cluster.hurt(node, () -> losePackets(node));
            case LATENCY -> cluster.hurt(node, () -> slow(node, millis));
            case CUT_CONNECTIONS -> cut(node);
            default -> throw new IllegalStateException(fault.name());
        }
    }

    void restart(Node node, Runnable end, long millis) {
        end.run();
        Pause.millis(millis);
        cluster.begin(node);
        Console.progress("          %s is up again", node.name());
    }

    private void change(Node node) {
        cluster.change(node, !node.isNextVersion());
        Console.progress(
                "          %s is up again, %s version", node.name(), node.isNextVersion() ? "next" : "previous");
    }

    /** The connection ends as in reality: the bytes arrive late, or it is reset. */
    private static void halfOpen(Node node, long millis, boolean reset) {
        Outage outage = node.cutOff("half open");
        node.wire.silent(true);
        Pause.millis(millis);
        if (reset) {
            node.wire.cut();
        }
        node.wire.silent(false);
        outage.end();
    }

    private static void loseAnswers(Node node, long millis, boolean reset) {
        Outage outage = node.cutOff("without answers");
        node.wire.loseAnswers(true);
        Pause.millis(millis);
        if (reset) {
            node.wire.cut();
        }
        node.wire.loseAnswers(false);
        outage.end();
    }

    private static void losePackets(Node node) {
        Outage outage = node.disturb("packets lost");
        node.wire.losePackets(LOSS);
        Pause.millis(DISTURBED_MILLIS);
        node.wire.losePackets(0);
        outage.end();
    }

    private static void slow(Node node, long millis) {
        Outage outage = node.disturb("slow");
        node.wire.delay(millis);
        Pause.millis(DISTURBED_MILLIS);
        node.wire.delay(0);
        outage.end();
    }

    private static void cut(Node node) {
        Outage outage = node.disturb("connections cut");
        node.wire.cut();
        outage.end();
    }

    static long between(long least, long most, double draw) {
        return least + (long) ((most - least) * draw);
    }
}
