package io.outboxed.faults;

import io.outboxed.faults.wire.Trap;
import java.util.function.Consumer;

/** Kills a node at a chosen moment of a delivery, if that moment comes soon. */
final class AimedKill {
    private static final long PATIENCE_MILLIS = 8_000;
    private static final int LAST_OCCURRENCE = 40;
    /** Of the shards that a node takes over at a time. */
    private static final int LAST_TAKEOVER = 4;

    private final NodeFaults faults;

    AimedKill(NodeFaults faults) {
        this.faults = faults;
    }

    static boolean is(Fault fault) {
        return switch (fault) {
            case KILL_AFTER_TAKEOVER,
                    KILL_AFTER_CLAIM,
                    KILL_IN_HANDLER,
                    KILL_BEFORE_ACK,
                    KILL_DURING_ACK,
                    KILL_DURING_COMMIT -> true;
            default -> false;
        };
    }

    /**
     * Returns when the node is up again, or when the moment has not come.
     *
     * @param done called with a description when the node is being killed
     * @return whether the moment has come
     */
    boolean run(Fault fault, Node node, double draw, Consumer<String> done) {
        if (fault == Fault.KILL_IN_HANDLER) {
            String handler = draw < 0.5 ? "Ledger" : "Courier";
            boolean held = "true".equals(node.post("ambush?handler=" + handler));
            if (held) {
                kill(node, fault + " " + node.name() + " " + handler, done);
            }
            return held;
        }
        int occurrence = fault == Fault.KILL_AFTER_TAKEOVER ? 1 + (int) (draw * LAST_TAKEOVER) : occurrence(draw);
        Trap trap = new Trap(Trap.Moment.valueOf(fault.name().replace("KILL_", "")), occurrence);
        node.wire.set(trap);
        boolean sprung = trap.await(PATIENCE_MILLIS);
        if (sprung) {
            kill(node, fault + " " + node.name() + ", number " + occurrence, done);
        }
        node.wire.set(null);
        return sprung;
    }

    /** At which such statement the node is killed. */
    static int occurrence(double draw) {
        return 1 + (int) (draw * LAST_OCCURRENCE);
    }

    /** The held connection stays as it is until the process is dead. */
    private void kill(Node node, String text, Consumer<String> done) {
        done.accept(text);
        Runnable end = () -> {
            node.kill();
            node.wire.cut();
            node.wire.set(null);
        };
        faults.restart(node, end, 0);
    }
}
