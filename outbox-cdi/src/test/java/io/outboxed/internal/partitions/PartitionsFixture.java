package io.outboxed.internal.partitions;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.retention.OldRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The history that the contracts of partitions use: a table of its own, with another prefix. */
interface PartitionsFixture {
    String PREFIX = "parted_";
    String HISTORY = PREFIX + "history";
    Duration DAY = Duration.ofDays(1);
    Optional<Duration> FOR_EVER = Optional.empty();

    Connection connect() throws SQLException;

    Dialect dialect();

    /** A statement that removes the partition for everything else. */
    String withoutTail();

    /** A history that is not partitioned at all. */
    List<String> withoutPartitions();

    /** Adds a partition as an operator would. */
    String addForeign(String name, long to);

    /** The connection of {@link #admin}, on which no partition of this name can be added now. */
    Connection refusing(String name, long before) throws SQLException;

    Connection admin();

    OldRows rows();

    default PartitionSettings days(int lookAhead, Optional<Duration> retention) {
        return PartitionSettings.of(Period.DAY, DAY.multipliedBy(lookAhead), retention);
    }

    default PartitionMaintainer maintainer(PartitionSettings settings) {
        return new PartitionMaintainer(dialect(), PREFIX, settings);
    }

    default PartitionRun run(PartitionSettings settings) throws SQLException {
        return maintainer(settings).run(admin());
    }

    default PartitionLayout layout() throws SQLException {
        return PartitionLayout.read(new Jdbc(admin(), dialect()), new PartitionSql(dialect(), PREFIX));
    }

    default void execute(String sql) throws SQLException {
        try (Statement statement = admin().createStatement()) {
            statement.execute(sql);
        }
    }

    default int count() throws SQLException {
        return count(HISTORY);
    }

    default int count(String table) throws SQLException {
        return new Jdbc(admin(), dialect())
                .list("SELECT COUNT(*) AS found FROM " + table, row -> row.getInt("found"))
                .get(0);
    }

    default long countTail() throws SQLException {
        return new Jdbc(admin(), dialect())
                .list(
                        new PartitionSql(dialect(), PREFIX).countTail(layout().tail()),
                        row -> row.getLong("found"),
                        1_000_000)
                .get(0);
    }
}
