package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.store.Backlog;
import io.outboxed.internal.store.Statistics;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Counts what is stored and not done, and reads the database's clock. Each statement is auto-commit and stops at {@link
 * Sql#MAX_COUNTED}.
 */
final class JdbcBacklog implements Statistics {
    private final Connections connections;
    private final Sql sql;

    JdbcBacklog(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    @Override
    public Backlog backlog() {
        return new Backlog(
                number(sql.countReady),
                number(sql.countParked),
                number(sql.countWaiting),
                number(sql.countBlocked),
                number(sql.countDead),
                number(sql.countBlockedAggregates),
                Duration.of(Math.max(number(sql.oldestReady), number(sql.oldestWaiting)), ChronoUnit.MICROS));
    }

    @Override
    public long clock() {
        return number(sql.clock);
    }

    /** At least 0: also if there is nothing, or if something is due in the future. */
    private long number(String text) {
        return connections
                .read(jdbc -> jdbc.first(text, row -> row.getLong("found")))
                .map(found -> Math.max(0, found))
                .orElse(0L);
    }
}
