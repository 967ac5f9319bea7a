package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.Backlog;
import io.outboxed.internal.store.Statistics;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Counts what is stored and not done, and reads the database's clock. Each statement is auto-commit and stops at a
 * limit; those of one count share a connection, which is opened for it.
 */
final class JdbcStatistics implements Statistics {
    private final Connections connections;
    private final Sql sql;

    JdbcStatistics(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    @Override
    public Backlog backlog(int most) {
        int mostWaiting = Math.min(most, Backlog.MAX_WAITING_COUNTED);
        return connections.autoCommit(jdbc -> new Backlog(
                number(jdbc, sql.statistics.countReady, most),
                number(jdbc, sql.statistics.countParked, most),
                number(jdbc, sql.statistics.countWaiting, mostWaiting),
                number(jdbc, sql.statistics.countBlocked, mostWaiting),
                number(jdbc, sql.statistics.countDead, most),
                number(jdbc, sql.statistics.countBlockedAggregates, mostWaiting),
                Duration.of(
                        Math.max(number(jdbc, sql.statistics.oldestReady), number(jdbc, sql.statistics.oldestWaiting)),
                        ChronoUnit.MICROS)));
    }

    @Override
    public Map<String, Long> operatorChanges() {
        return connections.autoCommit(jdbc ->
                jdbc
                        .list(
                                sql.statistics.operatorChanges,
                                row -> Map.entry(row.getString("action"), row.getLong("found")))
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    @Override
    public long clock() {
        return connections.autoCommit(jdbc -> number(jdbc, sql.statistics.clock));
    }

    /** At least 0, even if there is nothing, or if something is due in the future. */
    private static long number(Jdbc jdbc, String text, Object... limit) throws SQLException {
        return Math.max(0, jdbc.number(text, limit).orElse(0));
    }
}
