package io.outboxed.internal.partitions;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The partitions that the history has now.
 *
 * @param partitions those with an upper bound
 * @param tail the name of the one for everything else
 */
record PartitionLayout(List<HistoryPartition> partitions, String tail) {
    private static final String KEY = "RANGE (processed_at)";
    private static final String LIMIT = "\\('?(-?\\d+|MINVALUE|MAXVALUE)'?\\)";
    private static final Pattern RANGE = Pattern.compile("FOR VALUES FROM " + LIMIT + " TO " + LIMIT);

    /** @param otherSchema null if it is in the history's; PostgreSQL: an operator may have moved it */
    private record Found(String name, String bound, String otherSchema) {
        String fullName() {
            return otherSchema == null ? name : otherSchema + "." + name;
        }
    }

    /**
     * @throws OutboxException if the table is not partitioned by time, or has no tail
     * @throws SQLException on MySQL and MariaDB also if there is no such table, or the session may not read it
     */
    static PartitionLayout read(Jdbc jdbc, PartitionSql sql) throws SQLException {
        return read(jdbc, sql, List.of());
    }

    /** @param wanted MySQL, MariaDB: what the refusal of a table without a tail tells the administrator to create */
    static PartitionLayout read(Jdbc jdbc, PartitionSql sql, List<HistoryPartition> wanted) throws SQLException {
        String key = jdbc.list(sql.key(), row -> row.getString("partition_key"), sql.tableInCatalog())
                .get(0);
        if (key == null && jdbc.dialect().isMySqlFamily()) {
            // their catalog looks the same if there is no table, or none that this account may see
            jdbc.exists(sql.touchByReading());
        }
        if (!KEY.equalsIgnoreCase(key)) {
            throw unsuitable(
                    sql,
                    "it is partitioned by " + key + ", expected " + KEY + " (null: not at all)",
                    "Create the table as in the schema file and copy its rows"
                            + (jdbc.dialect() == Dialect.POSTGRESQL
                                    ? ""
                                    : ", or run " + sql.partitionBy(wanted) + ", which copies them"));
        }
        List<Found> found = jdbc.list(
                sql.partitions(),
                row -> new Found(row.getString("name"), row.getString("bound"), row.getString("other_schema")),
                sql.tableInCatalog());
        return jdbc.dialect() == Dialect.POSTGRESQL ? ofPostgreSql(sql, found) : ofMySql(sql, found);
    }

    private static PartitionLayout ofMySql(PartitionSql sql, List<Found> found) {
        List<HistoryPartition> partitions = new ArrayList<>();
        long from = HistoryPartition.BEGINNING;
        for (Found each : found) {
            if (each.bound().equals("MAXVALUE")) {
                return new PartitionLayout(partitions, each.name());
            }
            long to = Long.parseLong(each.bound());
            partitions.add(new HistoryPartition(each.name(), from, to));
            from = to;
        }
        throw unsuitable(
                sql,
                "it has no partition for everything after the last one",
                "Run ALTER TABLE " + sql.table() + " ADD PARTITION (PARTITION pmax VALUES LESS THAN MAXVALUE)");
    }

    private static PartitionLayout ofPostgreSql(PartitionSql sql, List<Found> found) {
        List<HistoryPartition> partitions = new ArrayList<>();
        Found tail = null;
        String prefix = sql.partitionPrefix();
        for (Found each : found) {
            Matcher range = RANGE.matcher(each.bound());
            if (range.matches()) {
                // a table of another name or schema is none that the maintainer made, even if the name looks like it
                String name = each.otherSchema() == null && each.name().startsWith(prefix)
                        ? each.name().substring(prefix.length())
                        : "other " + each.fullName();
                partitions.add(new HistoryPartition(name, limit(range.group(1)), limit(range.group(2))));
            } else {
                tail = each;
            }
        }
        if (tail == null) {
            throw unsuitable(
                    sql,
                    "it has no default partition",
                    "Run CREATE TABLE " + sql.table() + "_rest PARTITION OF " + sql.table() + " DEFAULT");
        }
        if (tail.otherSchema() != null) {
            throw unsuitable(
                    sql,
                    "its default partition " + tail.fullName() + " is in another schema",
                    "Move it back with ALTER TABLE " + tail.fullName() + " SET SCHEMA and the schema of "
                            + sql.table());
        }
        return new PartitionLayout(partitions, tail.name());
    }

    /** @param bound as PostgreSQL shows it; empty for the tail */
    static Optional<Long> begin(String bound) {
        Matcher range = RANGE.matcher(String.valueOf(bound));
        return range.matches() ? Optional.of(limit(range.group(1))) : Optional.empty();
    }

    private static long limit(String text) {
        return switch (text) {
            case "MINVALUE" -> HistoryPartition.BEGINNING;
            case "MAXVALUE" -> Long.MAX_VALUE;
            default -> Long.parseLong(text);
        };
    }

    private static OutboxException unsuitable(PartitionSql sql, String what, String remedy) {
        return new OutboxException(
                "OUTBOX-0312",
                "The partitions of " + sql.table() + " can't be maintained (outbox.history.partition): " + what
                        + ". Nothing was changed. " + remedy + ".");
    }
}
