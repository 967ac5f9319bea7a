package io.outboxed.internal.metrics;

import java.util.List;

/**
 * Every metric, with its name in all metrics APIs. Prometheus replaces dots by underscores and appends {@code _seconds}
 * to times and {@code _total} to counters.
 */
public enum Metric {
    STORED(Kind.COUNTER, "outbox.messages.stored", "messages whose transaction has committed", Label.TYPE),
    DELIVERIES(
            Kind.COUNTER,
            "outbox.deliveries",
            "attempts of handlers, by outcome",
            Label.TYPE,
            Label.HANDLER,
            Label.OUTCOME),
    PROCESSING(
            Kind.TIMER,
            "messaging.process.duration",
            "duration of one handler call, including its transaction",
            Label.TYPE,
            Label.HANDLER,
            Label.ERROR),
    LAG(
            Kind.TIMER,
            "outbox.delivery.lag",
            "time from the commit of a message, or from its due time, to a handler's success",
            Label.TYPE,
            Label.HANDLER),
    POLL(Kind.TIMER, "outbox.poll.duration", "duration of one poll for new messages"),
    LEASE_EXPIRED(Kind.COUNTER, "outbox.lease.expired", "how often this node's lease expired or was revoked"),
    SHARDS_LOST(Kind.COUNTER, "outbox.shards.lost", "shards that this node lost without releasing them"),
    STALE_WRITES(
            Kind.COUNTER,
            "outbox.stale.writes",
            "writes of this node that changed nothing, because another node had taken over the shard or the message, or"
                    + " because a handler's transaction was lost (a deadlock that it swallowed), or a failover had lost an"
                    + " earlier success of the event"),
    OUT_OF_ORDER(
            Kind.COUNTER,
            "outbox.messages.out.of.order",
            "messages that became visible after a later one of their aggregate: its writers are not serialised"),
    DISCARDED(
            Kind.COUNTER,
            "outbox.dead.letters.discarded",
            "dead letters that this node discarded; those that the command line itself discarded are in"
                    + " outbox.operator.changes",
            Label.HANDLER),
    SHARDS_HELD(Kind.GAUGE, "outbox.shards.held", "shards that this node relays"),
    HANDLERS_RUNNING(Kind.GAUGE, "outbox.handlers.running", "handler calls running on this node"),
    HANDLERS_LATE(Kind.GAUGE, "outbox.handlers.late", "handler calls still running after their timeout interrupt"),
    STALLED(
            Kind.GAUGE,
            "outbox.relay.stalled",
            "1 while this node starts no calls: no database, no lease, a failed iteration, or the node is starting or"
                    + " stopping"),
    OPERATOR_PAUSES(
            Kind.GAUGE,
            "outbox.paused",
            "pauses in force, as this node sees them: of a handler, of an event type, or of everything"),
    OPERATOR_CHANGES(
            Kind.GAUGE,
            "outbox.operator.changes",
            "what operators have changed within the last hour, as the audit has it; only on the node that counts the"
                    + " backlog",
            Label.ACTION),
    BACKLOG(Kind.GAUGE, "outbox.backlog", "stored work, by state; only on the node that counts it", Label.STATE),
    OLDEST_AGE(
            Kind.AGE,
            "outbox.backlog.oldest.age",
            "how long the oldest message waiting for the relay has been due; what is paused counts, what is"
                    + " blocked does not"),
    BLOCKED_AGGREGATES(Kind.GAUGE, "outbox.blocked.aggregates", "aggregates that wait for an operator"),
    CLEANED_ROWS(Kind.COUNTER, "outbox.cleanup.rows", "rows deleted because of their age, by table", Label.TABLE),
    MAINTENANCE_FAILURES(
            Kind.COUNTER,
            "outbox.maintenance.failures",
            "runs of a maintenance task that failed or were postponed",
            Label.TASK),
    MAINTENANCE_AGE(
            Kind.AGE,
            "outbox.maintenance.age",
            "time since a maintenance task last completed or, if it has not yet, since this node took it over;"
                    + " only on that node",
            Label.TASK);

    /** Upper bounds in seconds, as the semantic conventions for messaging give them. */
    private static final List<Double> BUCKETS =
            List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);
    /** A delivery that needed several attempts has a longer lag. */
    private static final List<Double> BUCKETS_OF_LAG = List.of(
            0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 30.0, 60.0, 300.0, 1800.0);

    public enum Kind {
        COUNTER,
        /** A histogram of seconds. */
        TIMER,
        GAUGE,
        /** A gauge in seconds. */
        AGE
    }

    /**
     * Each has few values: what the deployment declares, or words of a fixed list. Never an id of a message, aggregate
     * or tenant.
     */
    public enum Label {
        TYPE("event.type"),
        HANDLER("handler"),
        OUTCOME("outcome"),
        ERROR("error.type"),
        STATE("state"),
        TABLE("table"),
        TASK("task"),
        ACTION("action"),
        /** The application's name, on every series: two applications may share a server and its registry. */
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

    /** The name, with dots. */
    public String text() {
        return text;
    }

    public String meaning() {
        return meaning;
    }

    /** The labels of its series, apart from {@link Label#APPLICATION}, which all have. */
    public List<Label> labels() {
        return labels;
    }

    /** Upper bounds of the histogram's buckets, in seconds. */
    public List<Double> buckets() {
        return this == LAG ? BUCKETS_OF_LAG : BUCKETS;
    }
}
