package io.outboxed.internal.retention;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * How long rows are kept.
 *
 * @param ages by table; a table that is missing is left alone
 * @param batchSize how many rows one statement deletes at most
 */
public record RetentionPolicy(Map<AgedTable, Duration> ages, int batchSize) {
    public static final int DEFAULT_BATCH_SIZE = 1_000;

    public RetentionPolicy {
        if (batchSize < 1 || ages.values().stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("a batch of " + batchSize + " rows, ages " + ages);
        }
        ages = Map.copyOf(ages);
    }

    public RetentionPolicy with(AgedTable table, Duration age) {
        Map<AgedTable, Duration> more = new EnumMap<>(AgedTable.class);
        more.putAll(ages);
        more.put(table, age);
        return new RetentionPolicy(more, batchSize);
    }
}
