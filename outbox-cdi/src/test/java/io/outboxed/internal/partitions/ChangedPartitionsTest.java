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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitions of another period, of someone else, or too old. */
class ChangedPartitionsTest {

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

    /** MySQL and MariaDB do not tell them apart. */
    @Test
    void a_name_that_is_taken_in_capital_letters_gets_a_number_too() {
        HistoryPartition foreign = partition("P20250304", BEGINNING, "2025-03-03T06:00:00Z");

        assertThat(names(plan("2025-03-03T10:00:00Z", Period.DAY, DAY, FOR_EVER, foreign)))
                .containsExactly("p20250303", "p20250304_2");
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

    @Test
    void a_past_gap_of_which_the_tail_has_rows_becomes_one_partition() {
        HistoryPartition february = partition("p202502", "2025-02-01T00:00:00Z", "2025-03-01T00:00:00Z");
        String now = "2025-01-20T10:00:00Z";
        PartitionPlan plan = plan(now, Period.MONTH, DAY, FOR_EVER, february);

        assertThat(plan.pastGaps())
                .containsExactly(new PartitionPlan.Gap(BEGINNING, micros(Instant.parse("2025-01-01T00:00:00Z"))));
        assertThat(plan.changes()).containsExactly(add("p202501", "2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z"));
        assertThat(PartitionPlan.of(
                                Instant.parse(now),
                                Period.MONTH,
                                DAY,
                                FOR_EVER,
                                List.of(february),
                                Set.copyOf(plan.pastGaps()))
                        .changes())
                .containsExactly(
                        add("p202412", BEGINNING, "2025-01-01T00:00:00Z"),
                        add("p202501", "2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "p202501, true",
        "p20250101, true",
        "p2025010100, true",
        "p20250101_2, true",
        "p20250101_12, true",
        "p20240229, true",
        "p2025010123, true",
        "p20250101_1, false",
        "p20250101_02, false",
        "p202500, false",
        "p202513, false",
        "p20250230, false",
        "p20250229, false",
        "p2025010124, false",
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
}
