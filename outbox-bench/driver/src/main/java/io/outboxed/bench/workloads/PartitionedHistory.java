package io.outboxed.bench.workloads;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The long history in partitions by day, the first days of 1970, as if they had been made in time.
 *
 * @param days how many
 */
record PartitionedHistory(Stage stage, int days) {
    private static final Duration DAY = Duration.ofDays(1);
    private static final long MICROS = DAY.toNanos() / 1_000;

    void fill() {
        OldHistory.remove(stage);
        for (int day = 0; day < days; day++) {
            stage.database().execute(partition(day));
        }
        maintain(Optional.empty());
        int rows = OldHistory.rowsOf(stage, days);
        OldHistory.fill(stage, done -> Math.min(days - 1, done / rows) * MICROS + done);
    }

    /** @return how many partitions were dropped */
    int dropUpTo(int day) {
        Instant end = Instant.EPOCH.plus(DAY.multipliedBy(day + 1L)).plus(12, ChronoUnit.HOURS);
        return maintain(Optional.of(Duration.between(end, Instant.now())));
    }

    void remove() {
        maintain(Optional.of(DAY.multipliedBy(7)));
        OldHistory.remove(stage);
    }

    private int maintain(Optional<Duration> retention) {
        try (Connection connection = stage.database().connect()) {
            PartitionSettings settings = PartitionSettings.of(Period.DAY, DAY, retention);
            PartitionRun run = new PartitionMaintainer(Dialect.from(connection.getMetaData()), "outbox_", settings)
                    .run(connection);
            if (!(run instanceof PartitionRun.Done)) {
                throw new IllegalStateException("the partitions are not as they should be: " + run);
            }
            return (int) run.statements().stream()
                    .filter(statement -> statement.contains("DROP"))
                    .count();
        } catch (SQLException e) {
            throw new IllegalStateException("the partitions could not be maintained", e);
        }
    }

    private String partition(int day) {
        String name = "p" + LocalDate.EPOCH.plusDays(day).format(DateTimeFormatter.BASIC_ISO_DATE);
        long to = (day + 1) * MICROS;
        return stage.database().product().isMySqlFamily()
                ? "ALTER TABLE outbox_history REORGANIZE PARTITION pmax INTO (PARTITION " + name + " VALUES LESS THAN ("
                        + to + "), PARTITION pmax VALUES LESS THAN MAXVALUE)"
                : "CREATE TABLE outbox_history_" + name + " PARTITION OF outbox_history FOR VALUES FROM ("
                        + (day == 0 ? "MINVALUE" : String.valueOf(day * MICROS)) + ") TO (" + to + ")";
    }
}
