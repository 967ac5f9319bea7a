package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.BulkOperation;
import io.outboxed.faults.history.BulkOperation.Kind;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.WriterKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    private final Report report = new Report("postgresql", 1, Duration.ofMinutes(1));

    @Test
    void a_run_needs_each_planned_kind_of_fault_however_short_it_is() {
        for (Plan plan : List.of(hour(), Plan.of(1, Duration.ofMinutes(3)))) {
            Report report = new Report("postgresql", 1, Duration.ofMinutes(1));
            report.faults(allBut(Fault.DISK_FULL), plan, ANY_NUMBER);
            assertThat(report.kept()).isFalse();
            assertThat(report).asString().contains("never occurred | 1: [DISK_FULL] | needed **missed** |");
        }
    }

    @Test
    void a_fault_that_was_not_planned_may_be_missing() {
        report.faults(allBut(Fault.DISK_FULL), hour().without(Fault.DISK_FULL), ANY_NUMBER);
        assertThat(report.kept()).isTrue();
        assertThat(report).asString().contains("never occurred | 0 | needed |");
    }

    @Test
    void a_run_that_a_few_faults_end_says_which_had_no_opportunity() {
        report.faults(allBut(Fault.DISK_FULL), hour(), 20);
        assertThat(report.kept()).isTrue();
        assertThat(report).asString().contains("never occurred | 1: [DISK_FULL] | |");
    }

    @Test
    void a_run_that_is_to_have_so_many_faults_needs_them() {
        report.faults(Map.of(Fault.KILL_NODE, 19), Plan.of(1, Duration.ofMinutes(1)), 20);
        assertThat(report.kept()).isFalse();
        assertThat(report).asString().contains("| faults | 19 | 20 **missed** |");
    }

    @Test
    void what_an_operator_does_is_no_fault() {
        Map<Fault, Integer> counts = Map.of(
                Fault.KILL_NODE, 19, Fault.REPLAY, 3, Fault.BULK_REPLAY, 2, Fault.BULK_DISCARD, 1, Fault.BULK_RETRY, 1);
        report.faults(counts, Plan.of(1, Duration.ofMinutes(1)), 20);
        assertThat(report.kept()).isFalse();
        assertThat(report)
                .asString()
                .contains("| faults | 19 | 20 **missed** |", "| operator actions, which are no faults | 7 | |");
    }

    @Test
    void a_run_of_nothing_but_an_operators_actions_needs_no_faults() {
        Plan discards = Plan.of(1, Duration.ofMinutes(1), Fault.BULK_DISCARD, Duration.ofSeconds(20));
        report.faults(Map.of(Fault.BULK_DISCARD, 3), discards, ANY_NUMBER);
        assertThat(report.kept()).isTrue();
        report.faults(Map.of(), discards, ANY_NUMBER);
        assertThat(report.kept()).as("but the actions").isFalse();
    }

    @Test
    void a_run_without_faults_shows_nothing_however_short_it_is() {
        report.faults(Map.of(), Plan.of(1, Duration.ofMinutes(1)), ANY_NUMBER);
        assertThat(report.kept()).isFalse();
        assertThat(report).asString().contains("| faults | 0 | > 0 **missed** |");
    }

    @Test
    void nor_does_one_without_calls() {
        report.some("calls", "1, 0", 1);
        assertThat(report.kept()).isTrue();
        report.some("calls", "0, 3", 0);
        assertThat(report.kept()).isFalse();
        assertThat(report).asString().contains("| calls | 0, 3 | > 0 **missed** |");
    }

    @Test
    void a_run_without_one_kind_of_transaction_misses_its_bar() {
        Map<WriterKind, Long> committed = new EnumMap<>(WriterKind.class);
        Arrays.stream(WriterKind.values()).forEach(kind -> committed.put(kind, 3L));
        report.writers(committed, true);
        assertThat(report.kept()).isTrue();
        committed.put(WriterKind.TRANSFER, 0L);
        report.writers(committed, false);
        assertThat(report.kept()).as("only the next version makes transfers").isTrue();
        report.writers(committed, true);
        assertThat(report.kept()).isFalse();
        assertThat(report).asString().contains(WriterKind.TRANSFER.text + " | 0 | > 0 **missed** |");
    }

    @Test
    void what_a_long_run_needs_may_be_missing_in_a_short_one() {
        report.needed(false, "a wrong clock", "left out", false);
        assertThat(report.kept()).isTrue();
        report.needed(true, "a wrong clock", "left out", false);
        assertThat(report.kept()).isFalse();
    }

    @Test
    void a_run_that_needs_bulk_retries_needs_one_that_found_something() {
        bulkRetries(false, retry(2_000, 0));
        assertThat(report.kept()).isTrue();
        bulkRetries(true, retry(2_000, 0), retry(3_000, 2));
        assertThat(report.kept()).isTrue();
        assertThat(report).asString().contains("| bulk retries of what waits | 2 | |", "made due | 2 | needed |");
        bulkRetries(true, retry(2_000, 0));
        assertThat(report.kept()).isFalse();
    }

    @Test
    void a_bulk_discard_has_to_count_what_it_discards() {
        List<BulkOperation> discards = List.of(new BulkOperation(Kind.DISCARD, 1_000, 2_000, 2));
        report.bulkDiscards(discards, true, 2, new Outages(), List.of("node-1"));
        assertThat(report.kept()).isTrue();
        report.bulkDiscards(discards, true, 1, new Outages(), List.of("node-1"));
        assertThat(report.kept()).isFalse();
        assertThat(report).asString().contains("| ... events that ended so | 1 | 2 **missed** |");
    }

    @Test
    void a_bulk_operation_that_is_left_unfinished_misses_the_bar_of_its_kind() {
        List<BulkOperation> unfinished = List.of(retry(Long.MAX_VALUE, 2));
        report.bulkReplays(unfinished, new Outages(), List.of("node-1"));
        assertThat(report.kept()).isTrue();
        report.bulkRetries(unfinished, false, new Outages(), List.of("node-1"));
        assertThat(report.kept()).isFalse();
    }

    private void bulkRetries(boolean needed, BulkOperation... retries) {
        report.bulkRetries(List.of(retries), needed, new Outages(), List.of("node-1"));
    }

    private static BulkOperation retry(long endedAt, long changed) {
        return new BulkOperation(Kind.RETRY, 1_000, endedAt, changed);
    }

    private static Plan hour() {
        return Plan.of(1, Duration.ofMinutes(60));
    }

    private static Map<Fault, Integer> allBut(Fault missing) {
        Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
        Arrays.stream(Fault.values()).filter(fault -> fault != missing).forEach(fault -> counts.put(fault, 3));
        return counts;
    }
}
