package io.outboxed.internal.metrics;

import java.util.List;

/**
 * Every metric, with the name that all metrics APIs get. Prometheus sees dots as underscores, {@code _seconds} behind times
 * and {@code _total} behind counters.
 */
public enum Metric {
    STORED(Kind.COUNTER, "outbox.messages.stored", "messages whose transaction has committed", Label.TYPE),
    DELIVERIES(
            Kind.COUNTER,
            "outbox.deliveries",
            "tries of handlers by how they ended",
            Label.TYPE,
            Label.HANDLER,
            Label.OUTCOME),
    PROCESSING(
            Kind.TIME,
            "messaging.process.duration",
            "time that one call of a handler took, its transaction included",
            Label.TYPE,
            Label.HANDLER,
            Label.ERROR),
    LAG(
            Kind.TIME,
            "outbox.delivery.lag",
            "time from the commit of a message, or from when it was due, to a handler's success",
            Label.TYPE,
            Label.HANDLER),
    POLL(Kind.TIME, "outbox.poll.duration", "time that one look for new messages took"),
    LEASE_EXPIRED(Kind.COUNTER, "outbox.lease.expired", "times that this node's lease lapsed or was taken away"),
    LEASES_LOST(Kind.COUNTER, "outbox.leases.lost", "shards that this node lost without giving them away"),
    FENCED(
            Kind.COUNTER,
            "outbox.fenced.writes",
            "writes of this node that changed nothing, since another one had the shard or the message"),
    LEASES_HELD(Kind.GAUGE, "outbox.leases.held", "shards that this node relays"),
    HANDLERS_RUNNING(Kind.GAUGE, "outbox.handlers.running", "calls of handlers that run on this node"),
    HANDLERS_LATE(Kind.GAUGE, "outbox.handlers.late", "calls that go on although they were interrupted for their time"),
    PAUSED(Kind.GAUGE, "outbox.relay.paused", "1 while this node starts nothing: no database, no lease, or it stops"),
    BACKLOG(Kind.GAUGE, "outbox.backlog", "what is stored and not done; only on the node that samples", Label.STATE),
    OLDEST_AGE(
            Kind.AGE,
            "outbox.backlog.oldest.age",
            "how long the oldest message that waits for the relay has been due; without what waits for an operator"),
    BLOCKED_AGGREGATES(Kind.GAUGE, "outbox.blocked.aggregates", "aggregates that wait for an operator");

    /** Upper bounds in seconds, as the semantic conventions for messaging give them. */
    private static final List<Double> BUCKETS =
            List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);
    /** A delivery that needed several attempts takes longer. */
    private static final List<Double> BUCKETS_OF_LAG = List.of(
            0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 30.0, 60.0, 300.0, 1800.0);

    public enum Kind {
        COUNTER,
        /** A histogram of seconds. */
        TIME,
        GAUGE,
        /** A gauge in seconds. */
        AGE
    }

    /** Each has few values: what the deployment knows, or a list of words. Never an id of a message, aggregate or tenant. */
    public enum Label {
        TYPE("event.type"),
        HANDLER("handler"),
        OUTCOME("outcome"),
        ERROR("error.type"),
        STATE("state"),
        /** The application; on every series, since two of them may share a server and its registry. */
        APPLICATION("outbox.application");

        private final String text;

        Label(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    private final Kind kind;
    private final String text;
    private final String meaning;
    private final List<Label> labels;

    Metric(Kind kind, String text, String meaning, Label... labels) {
        this.kind = kind;
        this.text = text;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    public Kind kind() {
        return kind;
    }

    /** Its name, with dots. */
    public String text() {
        return text;
    }

    public String meaning() {
        return meaning;
    }

    /** Those that differ between its series; {@link Label#APPLICATION} comes on top. */
    public List<Label> labels() {
        return labels;
    }

    /** Upper bounds of the histogram's buckets, in seconds. */
    public List<Double> buckets() {
        return this == LAG ? BUCKETS_OF_LAG : BUCKETS;
    }
}
