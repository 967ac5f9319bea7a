package io.outboxed.internal.partitions;

import static io.outboxed.internal.partitions.HistoryPartition.BEGINNING;
import static io.outboxed.internal.partitions.Plans.DAY;
import static io.outboxed.internal.partitions.Plans.FOR_EVER;
import static io.outboxed.internal.partitions.Plans.add;
import static io.outboxed.internal.partitions.Plans.micros;
import static io.outboxed.internal.partitions.Plans.names;
import static io.outboxed.internal.partitions.Plans.partition;
import static io.outboxed.internal.partitions.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionPlanTest {

    @ParameterizedTest
    @CsvSource({
        "HOUR, 2025-03-03T14:59:59.999999Z, p2025030314, 2025-03-03T14:00:00Z, 2025-03-03T15:00:00Z",
        "HOUR, 2024-12-31T23:30:00Z, p2024123123, 2024-12-31T23:00:00Z, 2025-01-01T00:00:00Z",
        "HOUR, 2025-03-30T01:30:00Z, p2025033001, 2025-03-30T01:00:00Z, 2025-03-30T02:00:00Z",
        "DAY, 2025-03-03T00:00:00Z, p20250303, 2025-03-03T00:00:00Z, 2025-03-04T00:00:00Z",
        "DAY, 2024-12-31T23:59:59.999999Z, p20241231, 2024-12-31T00:00:00Z, 2025-01-01T00:00:00Z",
        "DAY, 2024-02-28T12:00:00Z, p20240228, 2024-02-28T00:00:00Z, 2024-02-29T00:00:00Z",
        "DAY, 2024-02-29T12:00:00Z, p20240229, 2024-02-29T00:00:00Z, 2024-03-01T00:00:00Z",
        "DAY, 2025-02-28T12:00:00Z, p20250228, 2025-02-28T00:00:00Z, 2025-03-01T00:00:00Z",
        "DAY, 1969-12-31T23:59:59Z, p19691231, 1969-12-31T00:00:00Z, 1970-01-01T00:00:00Z",
        "MONTH, 2025-01-31T10:00:00Z, p202501, 2025-01-01T00:00:00Z, 2025-02-01T00:00:00Z",
        "MONTH, 2024-02-29T23:59:59Z, p202402, 2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z",
        "MONTH, 2100-02-28T23:59:59Z, p210002, 2100-02-01T00:00:00Z, 2100-03-01T00:00:00Z",
        "MONTH, 2024-12-01T00:00:00Z, p202412, 2024-12-01T00:00:00Z, 2025-01-01T00:00:00Z"
    })
    void a_period_has_a_name_a_beginning_and_an_end_in_utc(
            Period period, Instant time, String name, Instant start, Instant end) {
        long micros = micros(time);

        assertThat(period.name(micros)).isEqualTo(name);
        assertThat(period.start(micros)).isEqualTo(micros(start));
        assertThat(period.end(micros)).isEqualTo(micros(end));
        assertThat(period.end(micros) - period.start(micros))
                .isLessThanOrEqualTo(period.longest().toNanos() / 1000);
    }

    @Test
    void the_first_partition_has_everything_before_its_end() {
        PartitionPlan plan = plan("2025-03-03T12:00:00Z", Period.DAY, DAY.multipliedBy(2), FOR_EVER);

        assertThat(plan.changes())
                .containsExactly(
                        add("p20250303", BEGINNING, "2025-03-04T00:00:00Z"),
                        add("p20250304", "2025-03-04T00:00:00Z", "2025-03-05T00:00:00Z"),
                        add("p20250305", "2025-03-05T00:00:00Z", "2025-03-06T00:00:00Z"));
    }

    @Test
    void the_first_partition_does_not_end_within_an_hour() {
        assertThat(plan("2025-03-03T22:59:59Z", Period.DAY, Duration.ZERO, FOR_EVER)
                        .changes())
                .containsExactly(add("p20250303", BEGINNING, "2025-03-04T00:00:00Z"));
        assertThat(plan("2025-03-03T23:00:00Z", Period.DAY, Duration.ZERO, FOR_EVER)
                        .changes())
                .containsExactly(add("p20250304", BEGINNING, "2025-03-05T00:00:00Z"));
        assertThat(plan("2025-03-03T14:10:00Z", Period.HOUR, Duration.ZERO, FOR_EVER)
                        .changes())
                .containsExactly(add("p2025030315", BEGINNING, "2025-03-03T16:00:00Z"));
        assertThat(plan("2024-12-31T23:30:00Z", Period.MONTH, Duration.ZERO, FOR_EVER)
                        .changes())
                .containsExactly(add("p202501", BEGINNING, "2025-02-01T00:00:00Z"));
    }

    @Test
    void the_look_ahead_crosses_the_end_of_a_year_and_a_leap_day() {
        assertThat(names(plan("2024-12-30T12:00:00Z", Period.DAY, DAY.multipliedBy(3), FOR_EVER)))
                .containsExactly("p20241230", "p20241231", "p20250101", "p20250102");
        assertThat(names(plan("2024-02-28T12:00:00Z", Period.DAY, DAY.multipliedBy(2), FOR_EVER)))
                .containsExactly("p20240228", "p20240229", "p20240301");
        assertThat(names(plan("2025-02-28T12:00:00Z", Period.DAY, DAY.multipliedBy(2), FOR_EVER)))
                .containsExactly("p20250228", "p20250301", "p20250302");
        assertThat(names(plan("2024-11-15T12:00:00Z", Period.MONTH, DAY.multipliedBy(62), FOR_EVER)))
                .containsExactly("p202411", "p202412", "p202501");
        assertThat(names(plan("2024-12-31T22:10:00Z", Period.HOUR, Duration.ofHours(3), FOR_EVER)))
                .containsExactly("p2024123123", "p2025010100", "p2025010101");
    }

    @Test
    void only_what_is_missing_is_added() {
        HistoryPartition third = partition("p20250303", BEGINNING, "2025-03-04T00:00:00Z");
        HistoryPartition fourth = partition("p20250304", "2025-03-04T00:00:00Z", "2025-03-05T00:00:00Z");

        assertThat(plan("2025-03-03T12:00:00Z", Period.DAY, DAY.multipliedBy(2), FOR_EVER, fourth, third)
                        .changes())
                .containsExactly(add("p20250305", "2025-03-05T00:00:00Z", "2025-03-06T00:00:00Z"));
        assertThat(plan("2025-03-03T12:00:00Z", Period.DAY, DAY, FOR_EVER, fourth, third)
                        .isEmpty())
                .isTrue();
    }

    @Test
    void after_a_long_absence_one_partition_has_all_the_time_that_was_missed() {
        HistoryPartition old = partition("p20250101", BEGINNING, "2025-01-02T00:00:00Z");

        assertThat(plan("2025-03-03T12:00:00Z", Period.DAY, DAY, FOR_EVER, old).changes())
                .containsExactly(
                        add("p20250303", "2025-01-02T00:00:00Z", "2025-03-04T00:00:00Z"),
                        add("p20250304", "2025-03-04T00:00:00Z", "2025-03-05T00:00:00Z"));
    }

    @Test
    void the_last_partition_may_end_exactly_now() {
        HistoryPartition yesterday = partition("p20250302", BEGINNING, "2025-03-03T00:00:00Z");

        assertThat(plan("2025-03-03T00:00:00Z", Period.DAY, Duration.ZERO, FOR_EVER, yesterday)
                        .changes())
                .containsExactly(add("p20250303", "2025-03-03T00:00:00Z", "2025-03-04T00:00:00Z"));
    }

    @Test
    void a_gap_that_is_not_past_is_filled() {
        HistoryPartition first = partition("p20250302", BEGINNING, "2025-03-03T00:00:00Z");
        HistoryPartition fifth = partition("p20250305", "2025-03-05T00:00:00Z", "2025-03-06T00:00:00Z");

        assertThat(plan("2025-03-04T10:00:00Z", Period.DAY, DAY.multipliedBy(2), FOR_EVER, first, fifth)
                        .changes())
                .containsExactly(
                        add("p20250304", "2025-03-04T00:00:00Z", "2025-03-05T00:00:00Z"),
                        add("p20250306", "2025-03-06T00:00:00Z", "2025-03-07T00:00:00Z"));
    }

    @Test
    void a_past_gap_is_left_to_the_tail() {
        HistoryPartition first = partition("p20250225", BEGINNING, "2025-02-26T00:00:00Z");
        HistoryPartition third = partition("p20250303", "2025-03-03T00:00:00Z", "2025-03-04T00:00:00Z");

        assertThat(plan("2025-03-03T10:00:00Z", Period.DAY, Duration.ZERO, FOR_EVER, first, third)
                        .isEmpty())
                .isTrue();
    }

    /** Or each run would fill it, and the next one drop it again. */
    @Test
    void what_was_dropped_is_not_created_again_even_in_the_current_period() {
        HistoryPartition ninth = partition("p20250309", "2025-03-09T00:00:00Z", "2025-03-10T00:00:00Z");
        HistoryPartition rest = partition("p202503", "2025-03-10T00:00:00Z", "2025-04-01T00:00:00Z");

        assertThat(plan("2025-03-20T10:00:00Z", Period.MONTH, Duration.ZERO, Optional.of(DAY), ninth, rest)
                        .changes())
                .containsExactly(new PartitionChange.Drop(ninth));
    }

    @Test
    void without_an_upper_bound_there_is_nothing_to_add() {
        HistoryPartition all = new HistoryPartition("everything", BEGINNING, Long.MAX_VALUE);

        assertThat(plan("2025-03-03T10:00:00Z", Period.DAY, DAY, Optional.of(DAY), all)
                        .isEmpty())
                .isTrue();
    }

    /** Runs that come early, late or with another period, on partitions that an operator has dropped or added. */
    @ParameterizedTest
    @EnumSource(Period.class)
    void after_each_run_there_are_partitions_from_now_to_the_look_ahead_and_none_overlap(Period period) {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Instant now = Instant.parse("2023-12-20T00:00:00Z").plusSeconds(random.nextInt(100_000_000));
            List<HistoryPartition> existing = new ArrayList<>();
            for (int run = 0; run < 12; run++) {
                Period used = random.nextInt(4) == 0 ? Period.values()[random.nextInt(3)] : period;
                Duration lookAhead = Duration.ofHours(random.nextInt(used == Period.HOUR ? 30 : 24 * 40));
                Duration retention = Duration.ofHours(random.nextInt(24 * 20));
                PartitionPlan plan = PartitionPlan.of(now, used, lookAhead, Optional.of(retention), existing);
                apply(plan, existing, micros(now.minus(retention)));
                String state = "seed " + seed + ", run " + run + " at " + now + ": " + existing;
                assertThat(existing)
                        .as(state)
                        .extracting(each -> each.name().toLowerCase(Locale.ROOT))
                        .doesNotHaveDuplicates();
                assertCoveredWithoutOverlap(existing, micros(now), micros(now.plus(lookAhead)), state);
                long keptFrom = micros(now.minus(retention));
                assertThat(existing).as(state).allMatch(each -> !each.isOurs() || each.to() > keptFrom);
                assertThat(PartitionPlan.of(now, used, lookAhead, Optional.of(retention), existing)
                                .isEmpty())
                        .as("a second run changes nothing, " + state)
                        .isTrue();
                assertThatConversionLeavesNoPastGap(now, used, existing, state);
                if (random.nextInt(5) == 0) {
                    existing.remove(random.nextInt(existing.size()));
                }
                if (random.nextInt(5) == 0) {
                    addForeign(random, used, existing);
                }
                now = now.plusSeconds(random.nextInt(random.nextBoolean() ? 7_200 : 4_000_000));
            }
        }
    }

    private static void assertThatConversionLeavesNoPastGap(
            Instant now, Period period, List<HistoryPartition> existing, String state) {
        PartitionPlan plan = PartitionPlan.of(now, period, Duration.ZERO, FOR_EVER, existing);
        List<HistoryPartition> converted = new ArrayList<>(existing);
        apply(
                PartitionPlan.of(now, period, Duration.ZERO, FOR_EVER, existing, Set.copyOf(plan.pastGaps())),
                converted,
                BEGINNING);
        assertCoveredWithoutOverlap(converted, BEGINNING, micros(now), state);
        assertThat(converted)
                .as(state)
                .extracting(each -> each.name().toLowerCase(Locale.ROOT))
                .doesNotHaveDuplicates();
    }

    /** Behind the last one, with a name that the maintainer does not give, or may want to give later. */
    private static void addForeign(Random random, Period period, List<HistoryPartition> existing) {
        long from = existing.stream().mapToLong(HistoryPartition::to).max().orElse(0);
        long to = from + 1 + random.nextInt(100_000_000) * 1_000L;
        String ours = period.name(to);
        String name = switch (random.nextInt(3)) {
            case 0 -> ours.toUpperCase(Locale.ROOT);
            case 1 -> "before_" + ours;
            default -> "other " + ours;
        };
        if (existing.stream().noneMatch(each -> each.name().equalsIgnoreCase(name))) {
            existing.add(new HistoryPartition(name, from, to));
        }
    }

    /** @param keptFrom the time of the oldest row that is kept */
    private static void apply(PartitionPlan plan, List<HistoryPartition> partitions, long keptFrom) {
        for (PartitionChange change : plan.changes()) {
            if (change instanceof PartitionChange.Drop drop) {
                assertThat(drop.partition().isOurs() && drop.partition().to() <= keptFrom)
                        .as("too old, and not of others: " + drop)
                        .isTrue();
                assertThat(partitions.remove(drop.partition())).isTrue();
            } else {
                partitions.add(change.partition());
            }
        }
    }

    private static void assertCoveredWithoutOverlap(
            List<HistoryPartition> partitions, long from, long to, String state) {
        List<HistoryPartition> sorted = partitions.stream()
                .sorted(Comparator.comparingLong(HistoryPartition::from))
                .toList();
        long covered = from;
        for (int i = 0; i < sorted.size(); i++) {
            HistoryPartition each = sorted.get(i);
            if (i > 0) {
                assertThat(each.from())
                        .as(state)
                        .isGreaterThanOrEqualTo(sorted.get(i - 1).to());
            }
            if (each.from() <= covered) {
                covered = Math.max(covered, each.to());
            }
        }
        assertThat(covered).as(state).isGreaterThan(to);
    }
}
