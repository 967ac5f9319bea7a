package io.outboxed.internal.partitions;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Plans and partitions, in few words. */
final class Plans {
    static final Optional<Duration> FOR_EVER = Optional.empty();
    static final Duration DAY = Duration.ofDays(1);

    private Plans() {}

    static PartitionPlan plan(
            String now, Period period, Duration lookAhead, Optional<Duration> retention, HistoryPartition... existing) {
        return PartitionPlan.of(Instant.parse(now), period, lookAhead, retention, Arrays.asList(existing));
    }

    static List<String> names(PartitionPlan plan) {
        return plan.added().stream().map(HistoryPartition::name).toList();
    }

    static PartitionChange add(String name, long from, String to) {
        return new PartitionChange.Add(partition(name, from, to));
    }

    static PartitionChange add(String name, String from, String to) {
        return new PartitionChange.Add(partition(name, from, to));
    }

    static HistoryPartition partition(String name, long from, String to) {
        return new HistoryPartition(name, from, micros(Instant.parse(to)));
    }

    static HistoryPartition partition(String name, String from, String to) {
        return partition(name, micros(Instant.parse(from)), to);
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
