package io.outboxed.bench.systems;

import io.outboxed.bench.database.Backlog;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Cost;
import io.outboxed.bench.database.Meter;
import io.outboxed.bench.database.Pause;
import io.outboxed.bench.database.Shape;
import java.util.List;

/**
 * Outboxed on one or several nodes that share their tables. The nodes run all the time and are idle when the backlog
 * appears.
 */
public final class NodeDrainer implements Drainer {
    private static final long LOOK_AGAIN_MILLIS = 20;

    private final String name;
    private final BenchDatabase database;
    private final Backlog backlog;
    private final List<Node> nodes;

    public NodeDrainer(String name, BenchDatabase database, Backlog backlog, List<Node> nodes) {
        this.name = name;
        this.database = database;
        this.backlog = backlog;
        this.nodes = List.copyOf(nodes);
    }

    @Override
    public String name() {
        return name;
    }

    /** Forgets the figures of the last drain. */
    public void reset() {
        nodes.forEach(Node::reset);
    }

    @Override
    public Drained drain(Shape shape) {
        return drain(shape, () -> backlog.awaitEmpty(prefix()));
    }

    /** Drains a backlog while other messages, which are in the table before and after, wait. */
    public Drained drainBesideOthers(Shape shape) {
        return drain(shape, () -> backlog.awaitNoneReady(prefix()));
    }

    private Drained drain(Shape shape, Runnable awaitDrained) {
        backlog.prepare(shape);
        backlog.rest(prefix());
        reset();
        Meter meter =
                Meter.beforeFilling(database, nodes.stream().map(Node::pid).toList(), shape.messages());
        Backlog.Hidden hidden = backlog.fill(shape, prefix());
        meter.start();
        long begin = hidden.release();
        awaitHandled(shape.messages());
        awaitDrained.run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Cost cost = meter.stop();
        return new Drained(shape.messages(), seconds, cost);
    }

    private void awaitHandled(int messages) {
        if (nodes.size() == 1) {
            nodes.get(0).awaitHandled(messages);
            return;
        }
        while (nodes.stream().mapToLong(node -> node.figures().get("handled")).sum() < messages) {
            Pause.millis(LOOK_AGAIN_MILLIS);
        }
    }

    /** Of its tables. */
    public String prefix() {
        return nodes.get(0).prefix();
    }

    /** The nodes are closed by the code that started them. */
    @Override
    public void close() {
        // it has no resources of its own
    }
}
