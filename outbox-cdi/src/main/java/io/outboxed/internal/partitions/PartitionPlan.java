package io.outboxed.internal.partitions;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What has to change so that every time from now to the look-ahead has a partition, and no partition is older than the
 * retention. Follows from its parameters alone.
 *
 * <p>Partitions lie side by side: a new one begins where the last one ends, even if that was long ago, so that nothing
 * stays in the tail. Existing ones are never changed, whatever period they were made for.
 *
 * @param now in microseconds since 1970 UTC
 * @param changes in the order in which they have to be made
 * @param pastGaps times for which there is no partition; only PostgreSQL can have some
 */
public record PartitionPlan(long now, List<PartitionChange> changes, List<Gap> pastGaps) {
    /** Longer than the changes take. The first partition takes over the tail and must not end meanwhile. */
    static final Duration CHANGE_MARGIN = Duration.ofHours(1);

    /**
     * A time between two partitions, or before the first one, in microseconds since 1970 UTC.
     *
     * @param to the first time that is not in it
     */
    public record Gap(long from, long to) {}

    /**
     * Leaves past gaps alone.
     *
     * @param lookAhead how far into the future there are partitions
     * @param retention how long rows are kept; empty for ever
     * @param existing all partitions with an upper bound, in any order
     */
    public static PartitionPlan of(
            Instant now,
            Period period,
            Duration lookAhead,
            Optional<Duration> retention,
            Collection<HistoryPartition> existing) {
        return of(now, period, lookAhead, retention, existing, Set.of());
    }

    /** @param filled past gaps of which the tail has rows: each gets a partition */
    static PartitionPlan of(
            Instant now,
            Period period,
            Duration lookAhead,
            Optional<Duration> retention,
            Collection<HistoryPartition> existing,
            Set<Gap> filled) {
        List<HistoryPartition> sorted = existing.stream()
                .sorted(Comparator.comparingLong(HistoryPartition::from))
                .toList();
        Additions additions = new Additions(period, sorted, filled);
        additions.plan(Period.micros(now), Period.micros(now.plus(lookAhead)));
        List<PartitionChange> changes = new ArrayList<>(additions.changes);
        retention
                .map(age -> Period.micros(now.minus(age)))
                .ifPresent(keptFrom -> sorted.stream()
                        .filter(partition -> partition.to() <= keptFrom && partition.isOurs())
                        .forEach(partition -> changes.add(new PartitionChange.Drop(partition))));
        return new PartitionPlan(Period.micros(now), List.copyOf(changes), List.copyOf(additions.gaps));
    }

    /** Whether rows of its period may be written while it is added. */
    boolean mayReceiveRows(HistoryPartition added) {
        return added.from() < now + micros(CHANGE_MARGIN);
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    List<HistoryPartition> added() {
        return changes.stream()
                .filter(PartitionChange.Add.class::isInstance)
                .map(PartitionChange::partition)
                .toList();
    }

    List<HistoryPartition> dropped() {
        return changes.stream()
                .filter(PartitionChange.Drop.class::isInstance)
                .map(PartitionChange::partition)
                .toList();
    }

    private static final class Additions {
        private final Period period;
        private final List<HistoryPartition> existing;
        private final Set<Gap> filled;
        private final Set<String> names;
        private final List<PartitionChange> changes = new ArrayList<>();
        private final List<Gap> gaps = new ArrayList<>();

        private Additions(Period period, List<HistoryPartition> existing, Set<Gap> filled) {
            this.period = period;
            this.existing = existing;
            this.filled = filled;
            this.names = existing.stream()
                    .map(partition -> partition.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.toCollection(HashSet::new));
        }

        private void plan(long now, long ahead) {
            long end = period.end(ahead);
            if (existing.isEmpty()) {
                long firstEnd = period.end(now + micros(CHANGE_MARGIN));
                add(HistoryPartition.BEGINNING, firstEnd);
                fill(firstEnd, end);
                return;
            }
            long current = period.start(now);
            long covered = HistoryPartition.BEGINNING;
            for (HistoryPartition next : existing) {
                leaveOrFill(new Gap(covered, next.from() > now ? current : next.from()));
                if (next.from() > Math.max(covered, now)) {
                    fill(Math.max(covered, current), Math.min(next.from(), end));
                }
                covered = Math.max(covered, next.to());
            }
            if (covered < current) {
                add(covered, period.end(now));
                covered = period.end(now);
            }
            fill(covered, end);
        }

        /** What retention drops leaves a gap too, so one without rows stays. */
        private void leaveOrFill(Gap past) {
            if (past.from() < past.to()) {
                gaps.add(past);
                if (filled.contains(past)) {
                    add(past.from(), past.to());
                }
            }
        }

        private void fill(long from, long to) {
            for (long begin = from; begin < to; ) {
                long end = Math.min(period.end(begin), to);
                add(begin, end);
                begin = end;
            }
        }

        private void add(long from, long to) {
            changes.add(new PartitionChange.Add(new HistoryPartition(freeName(period.name(to - 1)), from, to)));
        }

        /** On MySQL and MariaDB, the names of two partitions can't differ by case alone. */
        private String freeName(String wanted) {
            String name = wanted;
            for (int number = 2; !names.add(name); number++) {
                name = wanted + "_" + number;
            }
            return name;
        }
    }
}
