package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;

/** Every statement of the relay, of capture and of dead letters, by subject. */
public final class Sql extends SqlText {
    public final NodeSql nodes;
    public final LaneLockSql laneLocks;
    public final LaneClaimSql claims;
    public final HandlerSql handlers;
    public final ReadSql read;
    public final StatisticsSql statistics;
    public final MessageSql messages;
    public final DeliverySql deliveries;
    public final LaneSql lanes;
    public final DeadLetterSql deadLetters;
    public final RetiredHandlerSql retired;
    public final CallerSql caller;
    public final ProbeSql probes;

    public Sql(Dialect dialect, String prefix) {
        super(dialect, prefix);
        this.nodes = new NodeSql(dialect, prefix);
        this.laneLocks = new LaneLockSql(dialect, prefix);
        this.claims = new LaneClaimSql(dialect, prefix);
        this.handlers = new HandlerSql(dialect, prefix);
        this.read = new ReadSql(dialect, prefix);
        this.statistics = new StatisticsSql(dialect, prefix);
        this.messages = new MessageSql(dialect, prefix);
        this.deliveries = new DeliverySql(dialect, prefix);
        this.lanes = new LaneSql(dialect, prefix);
        this.deadLetters = new DeadLetterSql(dialect, prefix);
        this.retired = new RetiredHandlerSql(dialect, prefix);
        this.caller = new CallerSql(dialect, prefix);
        this.probes = new ProbeSql(dialect, prefix);
    }
}
