package io.outboxed.bench.systems;

import io.outboxed.bench.database.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Outboxed under a paced load: the first node publishes, all of them handle. */
public final class PacedNode {
    private static final long ARRIVED_WITHIN_MILLIS = 60_000;

    private final List<Node> nodes;

    public PacedNode(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * The measured times of all events.
     *
     * @param here events that the publishing node has handled itself
     */
    public record Travels(List<Travel> here, List<Travel> elsewhere) {}

    /** @param threads that publish */
    public Travels run(double rate, int threads, Duration length) {
        int events = (int) (rate * length.toMillis() / 1000);
        nodes.forEach(Node::reset);
        nodes.forEach(node -> node.post("load/journeys?events=" + events));
        nodes.get(0).post("load/paced?rate=" + rate + "&threads=" + threads + "&millis=" + length.toMillis());
        awaitHandled(events);
        return travels();
    }

    /** How many transactions with an event per second one node can run while it also handles them. */
    public double ceiling(int threads, Duration length) {
        Node node = nodes.get(0);
        node.reset();
        long events = node.post("load/transactions?mode=EVENT&threads=" + threads + "&millis=" + length.toMillis())
                .get("transactions");
        var figures = node.awaitHandled(events);
        return Node.callsPerSecond(figures, "handled", "last");
    }

    private void awaitHandled(int events) {
        long deadline = System.currentTimeMillis() + ARRIVED_WITHIN_MILLIS;
        while (handled() < events) {
            if (System.currentTimeMillis() > deadline) {
                throw new IllegalStateException(handled() + " of " + events + " paced events were handled in time");
            }
            Pause.millis(50);
        }
    }

    private long handled() {
        return nodes.stream().mapToLong(node -> node.figures().get("handled")).sum();
    }

    private Travels travels() {
        List<Travel> published = travels(nodes.get(0));
        List<Travel> elsewhere = new ArrayList<>();
        for (Node other : nodes.subList(1, nodes.size())) {
            List<Travel> arrivals = travels(other);
            for (int i = 0; i < arrivals.size(); i++) {
                if (arrivals.get(i).handled() != 0) {
                    elsewhere.add(published.get(i).handledAt(arrivals.get(i).handled()));
                }
            }
        }
        return new Travels(
                published.stream().filter(travel -> travel.handled() != 0).toList(), elsewhere);
    }

    private static List<Travel> travels(Node node) {
        return node.lines("load/journeys").stream().map(Travel::of).toList();
    }
}
