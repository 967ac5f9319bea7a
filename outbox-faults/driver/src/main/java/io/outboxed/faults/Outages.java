package io.outboxed.faults;

import java.util.ArrayList;
import java.util.List;

/** When which node, or the database, could not work, and why. */
final class Outages {
    static final String DATABASE = "database";

    private final List<Outage> all = new ArrayList<>();

    /** @param to {@link Long#MAX_VALUE} while it lasts */
    static final class Outage {
        final String what;
        final String why;
        final long from;
        volatile long to = Long.MAX_VALUE;

        Outage(String what, String why, long from) {
            this.what = what;
            this.why = why;
            this.from = from;
        }

        void end() {
            to = Micros.now();
        }

        boolean overlaps(long begin, long end) {
            return from <= end && begin <= to;
        }
    }

    /** Lasts until {@link Outage#end()}. */
    synchronized Outage begin(String what, String why) {
        Outage outage = new Outage(what, why, Micros.now());
        all.add(outage);
        return outage;
    }

    synchronized Outage add(String what, String why, long from, long to) {
        Outage outage = new Outage(what, why, from);
        outage.to = to;
        all.add(outage);
        return outage;
    }

    synchronized List<Outage> of(String what) {
        return all.stream().filter(outage -> outage.what.equals(what)).toList();
    }

    /** When the database and at least one of the nodes could work. */
    Spans available(List<String> nodes, long from, long to) {
        Spans anyNode = Spans.none();
        for (String node : nodes) {
            anyNode = anyNode.or(available(node, from, to));
        }
        return anyNode;
    }

    /** When the database and this node could work. */
    Spans available(String node, long from, long to) {
        return down(node).complement(from, to).and(down(DATABASE).complement(from, to));
    }

    Spans down(String what) {
        List<Spans.Span> spans = new ArrayList<>();
        of(what).forEach(outage -> spans.add(new Spans.Span(outage.from, outage.to)));
        return Spans.of(spans);
    }
}
