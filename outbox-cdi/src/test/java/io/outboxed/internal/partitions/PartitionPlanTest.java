package io.outboxed.internal.partitions;

import static io.outboxed.internal.partitions.HistoryPartition.BEGINNING;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionPlanTest {
    private static final Optional<Duration> FOR_EVER = Optional.empty();
    private static final Duration DAY = Duration.ofDays(1);

    // ---- names and limits ----

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

    // ---- the first time ----

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

    // ---- from then on ----

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

    // ---- another period than before ----

    @Test
    void from_days_to_months_the_rest_of_the_month_is_one_partition() {
        HistoryPartition days = partition("p20250310", BEGINNING, "2025-03-11T00:00:00Z");

        assertThat(plan("2025-03-10T10:00:00Z", Period.MONTH, DAY.multipliedBy(30), FOR_EVER, days)
                        .changes())
                .containsExactly(
                        add("p202503", "2025-03-11T00:00:00Z", "2025-04-01T00:00:00Z"),
                        add("p202504", "2025-04-01T00:00:00Z", "2025-05-01T00:00:00Z"));
    }

    @Test
    void from_months_to_days_the_first_day_is_after_the_last_month() {
        HistoryPartition march = partition("p202503", BEGINNING, "2025-04-01T00:00:00Z");

        assertThat(plan("2025-03-30T10:00:00Z", Period.DAY, DAY.multipliedBy(3), FOR_EVER, march)
                        .changes())
                .containsExactly(
                        add("p20250401", "2025-04-01T00:00:00Z", "2025-04-02T00:00:00Z"),
                        add("p20250402", "2025-04-02T00:00:00Z", "2025-04-03T00:00:00Z"));
    }

    @Test
    void from_hours_to_days_the_rest_of_the_day_is_one_partition() {
        HistoryPartition hours = partition("p2025030314", BEGINNING, "2025-03-03T15:00:00Z");

        assertThat(plan("2025-03-03T14:30:00Z", Period.DAY, Duration.ZERO, FOR_EVER, hours)
                        .changes())
                .containsExactly(add("p20250303", "2025-03-03T15:00:00Z", "2025-03-04T00:00:00Z"));
    }

    // ---- partitions of others ----

    @Test
    void a_name_that_is_taken_gets_a_number() {
        HistoryPartition first = partition("p20250304", BEGINNING, "2025-03-03T00:00:00Z");
        HistoryPartition second = partition("p20250304_2", "2025-03-03T00:00:00Z", "2025-03-03T06:00:00Z");

        assertThat(names(plan("2025-03-03T10:00:00Z", Period.DAY, DAY, FOR_EVER, first, second)))
                .containsExactly("p20250303", "p20250304_3");
    }

    @Test
    void new_partitions_begin_where_one_of_another_shape_ends() {
        HistoryPartition foreign = partition("before_the_move", BEGINNING, "2025-03-03T17:30:00Z");

        assertThat(plan("2025-03-03T10:00:00Z", Period.DAY, DAY, FOR_EVER, foreign)
                        .changes())
                .containsExactly(
                        add("p20250303", "2025-03-03T17:30:00Z", "2025-03-04T00:00:00Z"),
                        add("p20250304", "2025-03-04T00:00:00Z", "2025-03-05T00:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "p202501, true",
        "p20250101, true",
        "p2025010100, true",
        "p20250101_2, true",
        "pmax, false",
        "p2025, false",
        "p2025010, false",
        "p20250101000, false",
        "xp20250101, false",
        "p20250101_, false",
        "p20250101_old, false",
        "other p20250101, false",
        "P20250101, false"
    })
    void only_a_partition_with_a_name_of_ours_is_dropped(String name, boolean dropped) {
        HistoryPartition old = partition(name, BEGINNING, "2025-01-02T00:00:00Z");
        HistoryPartition current = partition("p20250303", "2025-01-02T00:00:00Z", "2025-03-04T00:00:00Z");

        List<PartitionChange> changes = plan(
                        "2025-03-03T10:00:00Z", Period.DAY, Duration.ZERO, Optional.of(DAY), old, current)
                .changes();

        assertThat(changes).isEqualTo(dropped ? List.of(new PartitionChange.Drop(old)) : List.of());
    }

    // ---- retention ----

    @Test
    void a_partition_is_dropped_when_its_last_row_is_old_enough() {
        HistoryPartition day = partition("p20250224", BEGINNING, "2025-02-25T00:00:00Z");
        HistoryPartition later = partition("p20250303", "2025-02-25T00:00:00Z", "2025-03-05T00:00:00Z");
        Optional<Duration> week = Optional.of(DAY.multipliedBy(7));

        assertThat(plan("2025-03-03T23:59:59.999999Z", Period.DAY, Duration.ZERO, week, day, later)
                        .isEmpty())
                .isTrue();
        assertThat(plan("2025-03-04T00:00:00Z", Period.DAY, Duration.ZERO, week, day, later)
                        .changes())
                .containsExactly(new PartitionChange.Drop(day));
    }

    @Test
    void what_is_old_is_dropped_after_what_is_missing_was_added() {
        HistoryPartition january = partition("p202501", BEGINNING, "2025-02-01T00:00:00Z");
        HistoryPartition february = partition("p202502", "2025-02-01T00:00:00Z", "2025-03-01T00:00:00Z");

        assertThat(plan("2025-04-10T00:00:00Z", Period.MONTH, Duration.ZERO, Optional.of(DAY), february, january)
                        .changes())
                .containsExactly(
                        add("p202504", "2025-03-01T00:00:00Z", "2025-05-01T00:00:00Z"),
                        new PartitionChange.Drop(january),
                        new PartitionChange.Drop(february));
    }

    @Test
    void without_a_retention_nothing_is_dropped() {
        HistoryPartition old = partition("p19990101", BEGINNING, "1999-01-02T00:00:00Z");
        HistoryPartition current = partition("p20250303", "1999-01-02T00:00:00Z", "2025-03-04T00:00:00Z");

        assertThat(plan("2025-03-03T10:00:00Z", Period.DAY, Duration.ZERO, FOR_EVER, old, current)
                        .isEmpty())
                .isTrue();
    }

    // ---- for any history ----

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
                apply(plan, existing);
                String state = "seed " + seed + ", run " + run + " at " + now + ": " + existing;
                assertThat(existing)
                        .as(state)
                        .extracting(HistoryPartition::name)
                        .doesNotHaveDuplicates();
                assertCoveredWithoutOverlap(existing, micros(now), micros(now.plus(lookAhead)), state);
                long keptFrom = micros(now.minus(retention));
                assertThat(existing).as(state).allMatch(each -> !each.isOurs() || each.to() > keptFrom);
                assertThat(PartitionPlan.of(now, used, lookAhead, Optional.of(retention), existing)
                                .isEmpty())
                        .as("a second run changes nothing, " + state)
                        .isTrue();
                if (random.nextInt(5) == 0) {
                    existing.remove(random.nextInt(existing.size()));
                }
                now = now.plusSeconds(random.nextInt(random.nextBoolean() ? 7_200 : 4_000_000));
            }
        }
    }

    private static void apply(PartitionPlan plan, List<HistoryPartition> partitions) {
        for (PartitionChange change : plan.changes()) {
            if (change instanceof PartitionChange.Drop drop) {
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

    private static PartitionPlan plan(
            String now, Period period, Duration lookAhead, Optional<Duration> retention, HistoryPartition... existing) {
        return PartitionPlan.of(Instant.parse(now), period, lookAhead, retention, Arrays.asList(existing));
    }

    private static List<String> names(PartitionPlan plan) {
        return plan.added().stream().map(HistoryPartition::name).toList();
    }

    private static PartitionChange add(String name, long from, String to) {
        return new PartitionChange.Add(partition(name, from, to));
    }

    private static PartitionChange add(String name, String from, String to) {
        return new PartitionChange.Add(partition(name, from, to));
    }

    private static HistoryPartition partition(String name, long from, String to) {
        return new HistoryPartition(name, from, micros(Instant.parse(to)));
    }

    private static HistoryPartition partition(String name, String from, String to) {
        return partition(name, micros(Instant.parse(from)), to);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
