package io.outboxed.internal.partitions;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A time of the history that one statement reads. PostgreSQL locks each partition that it may have to read, and both of
 * its indexes, in a table of locks that all sessions share: if that is full, no transaction can write.
 *
 * @param from in microseconds since 1970 UTC, {@link #BEGINNING} if there is no lower bound
 * @param until the first time that is not in it, {@link #END} if there is no upper bound
 */
public record HistoryRange(long from, long until) {
    public static final long BEGINNING = HistoryPartition.BEGINNING;
    public static final long END = Long.MAX_VALUE;
    static final int MOST_PARTITIONS = 50;

    /** Ranges that have all times together, the latest first. */
    public static List<HistoryRange> all(Jdbc jdbc, String prefix) throws SQLException {
        if (jdbc.dialect() != Dialect.POSTGRESQL) {
            return of(List.of());
        }
        PartitionSql sql = new PartitionSql(jdbc.dialect(), prefix);
        List<Optional<Long>> begins =
                jdbc.list(sql.partitions(), row -> PartitionLayout.begin(row.getString("bound")), sql.tableInCatalog());
        return of(begins.stream().flatMap(Optional::stream).sorted().toList());
    }

    /** @param begins of partitions, in their order */
    static List<HistoryRange> of(List<Long> begins) {
        List<HistoryRange> ranges = new ArrayList<>();
        long from = BEGINNING;
        for (int i = MOST_PARTITIONS; i < begins.size(); i += MOST_PARTITIONS) {
            ranges.add(0, new HistoryRange(from, begins.get(i)));
            from = begins.get(i);
        }
        ranges.add(0, new HistoryRange(from, END));
        return ranges;
    }
}
