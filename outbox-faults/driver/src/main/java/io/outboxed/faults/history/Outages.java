package io.outboxed.faults.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** When which node, or the database, could not work or was disturbed, and why. */
public final class Outages {
    public static final String DATABASE = "database";
    public static final String FROZEN = "frozen";
    public static final String KILLED = "killed";
    public static final String STOPPED = "stopped";
    public static final String REDEPLOYED = "redeployed";
    public static final String POOL_EXHAUSTED = "pool exhausted";

    /** By how much a fault may seem to begin later, or to end earlier, than it is felt. */
    static final long MOMENT_MICROS = 1_000_000;

    /** The moment at which everything that it was doing had ended. A stop and a kill begin before. */
    public static final String GONE = "gone";

    /** What the node has time to finish its work in, and to store it. */
    private static final Set<String> ORDERLY = Set.of(STOPPED, REDEPLOYED, GONE);

    /** The library's default, with which the nodes run: one that is down for longer is declared dead. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    private static final String JOINING = " joining";

    private final List<Outage> all = new ArrayList<>();

    /** @param to {@link Long#MAX_VALUE} while it lasts */
    public static final class Outage {
        final String what;
        final String why;

        /** False: it could work, but not without trouble. */
        final boolean down;

        final long from;
        volatile long to = Long.MAX_VALUE;

        Outage(String what, String why, boolean down, long from) {
            this.what = what;
            this.why = why;
            this.down = down;
            this.from = from;
        }

        public void end() {
            to = Micros.now();
        }

        boolean isOrderly() {
            return ORDERLY.contains(why);
        }

        public boolean overlaps(long begin, long end) {
            return from <= end && begin <= to;
        }
    }

    /** Lasts until {@link Outage#end()}. */
    public Outage begin(String what, String why) {
        return add(new Outage(what, why, true, Micros.now()));
    }

    /** What is disturbed can work, but may repeat what it has done. Lasts until {@link Outage#end()}. */
    public Outage disturb(String what, String why) {
        return add(new Outage(what, why, false, Micros.now()));
    }

    public Outage add(String what, String why, long from, long to) {
        Outage outage = new Outage(what, why, true, from);
        outage.to = to;
        return add(outage);
    }

    synchronized List<Outage> all() {
        return List.copyOf(all);
    }

    synchronized Outage add(Outage outage) {
        all.add(outage);
        return outage;
    }

    public synchronized List<Outage> of(String what) {
        return all.stream().filter(outage -> outage.what.equals(what)).toList();
    }

    /** How many there were of this kind. */
    public synchronized long count(String why) {
        return all.stream().filter(outage -> outage.why.equals(why)).count();
    }

    /** When the database and at least one of the nodes could work. */
    public Spans available(List<String> nodes, long from, long to) {
        Spans anyNode = Spans.none();
        for (String node : nodes) {
            anyNode = anyNode.or(available(node, from, to));
        }
        return anyNode;
    }

    /** When the database and this node could work: its relay has joined. */
    public Spans available(String node, long from, long to) {
        return down(node)
                .or(down(joining(node)))
                .complement(from, to)
                .and(down(DATABASE).complement(from, to));
    }

    /** When it was {@link #available(String, long, long)} and its connections were not all held by others. */
    Spans ableToCall(String node, long from, long to) {
        return available(node, from, to).without(of(node, POOL_EXHAUSTED));
    }

    /** When the node was killed, or went down for so long that its lease expired: it released nothing. */
    List<Long> losses(String node) {
        return of(node).stream()
                .filter(Outages::isLoss)
                .map(outage -> outage.from)
                .toList();
    }

    /** How often any node was lost in this time. One that is killed while it is frozen is lost once. */
    int losses(long from, long to) {
        Map<String, Spans> lost = new HashMap<>();
        all().stream()
                .filter(outage -> !outage.what.equals(DATABASE) && !outage.what.endsWith(JOINING))
                .filter(outage -> isLoss(outage) && from < outage.from && outage.from < to)
                .forEach(outage ->
                        lost.merge(outage.what, Spans.of(List.of(new Spans.Span(outage.from, outage.to))), Spans::or));
        return lost.values().stream().mapToInt(spans -> spans.spans().size()).sum();
    }

    private static boolean isLoss(Outage outage) {
        return outage.down
                && !outage.isOrderly()
                && (outage.why.equals(KILLED) || outage.to - outage.from >= Micros.of(LEASE));
    }

    private Spans of(String what, String why) {
        return Spans.of(of(what).stream()
                .filter(outage -> outage.why.equals(why))
                .map(outage -> new Spans.Span(outage.from, outage.to))
                .toList());
    }

    /** When nothing was down or disturbed. */
    Spans calm(long from, long to) {
        return Spans.of(all().stream()
                        .map(outage -> new Spans.Span(outage.from, outage.to))
                        .toList())
                .complement(from, to);
    }

    /** What the outage is called while a node is up, but its relay has not joined yet. It explains no repeated call. */
    public static String joining(String node) {
        return node + JOINING;
    }

    public Spans down(String what) {
        List<Spans.Span> spans = new ArrayList<>();
        of(what).stream()
                .filter(outage -> outage.down)
                .forEach(outage -> spans.add(new Spans.Span(outage.from, outage.to)));
        return Spans.of(spans);
    }

    /**
     * Whether it was frozen or cut off for so long in total that its lease may have expired. An outage of the database
     * makes no node dead.
     */
    boolean lostTouch(String node, long from, long to) {
        return down(node).and(Spans.of(List.of(new Spans.Span(from, to)))).length() > Micros.of(LEASE) / 2;
    }

    /**
     * Whether the lease that the node had at first expired until then: no heartbeat can have arrived for nearly as long,
     * also because of outages before that time.
     */
    boolean lostLease(String node, long from, long to) {
        return isExpired(node, to) && !isExpired(node, from);
    }

    private boolean isExpired(String node, long moment) {
        long lease = Micros.of(LEASE);
        Spans lately = Spans.of(List.of(new Spans.Span(moment - lease, moment)));
        return down(node).and(lately).length() > lease * 9 / 10;
    }

    /** Whether the database, or the node of the call, was down or disturbed. An orderly stop disturbs nothing. */
    boolean troubled(Call call, long from, long to) {
        return troubled(call.node(), from, to) || troubled(DATABASE, from, to);
    }

    /** The node is gone: it does nothing any more, although it may have had time until now. */
    public void gone(String node) {
        long now = Micros.now();
        add(node, GONE, now, now);
    }

    boolean troubled(String what, long from, long to) {
        return of(what).stream().anyMatch(outage -> !outage.isOrderly() && outage.overlaps(from, to));
    }

    /**
     * Whether any node was killed, or its lease may have expired: it may have counted an attempt and not made it. One that
     * stops in good order takes such a count back.
     */
    boolean anyNodeLost(long from, long to) {
        return all().stream()
                .filter(outage -> !outage.what.equals(DATABASE) && outage.overlaps(from, to))
                .anyMatch(outage -> outage.why.equals(KILLED) || lostTouch(outage.what, from, to));
    }

    /** A call that never ended has ended with its node; {@link Call#NEVER}: not yet. */
    long endOf(Call call) {
        return call.ended() ? call.end() : deathAfter(call.node(), call.start());
    }

    /** When what the node was doing at that moment ended, if it did not end by itself; {@link Call#NEVER}: not yet. */
    long deathAfter(String node, long moment) {
        return of(node).stream()
                .filter(outage -> outage.why.equals(GONE) && outage.from >= moment)
                .mapToLong(outage -> outage.from)
                .min()
                .orElse(Call.NEVER);
    }
}
