package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    @Test
    void a_seed_draws_the_same_plan_again_and_four_minutes_have_every_fault() {
        Plan plan = Plan.of(42, Duration.ofMinutes(4));

        assertThat(Plan.of(42, Duration.ofMinutes(4))).isEqualTo(plan);
        assertThat(Plan.of(43, Duration.ofMinutes(4))).isNotEqualTo(plan);
        assertThat(faults(plan)).contains(Fault.values());
        assertThat(Arrays.stream(Fault.values()).filter(fault -> fault.inEachRound == 0))
                .containsExactly(Fault.KILL_ALL_NODES, Fault.ROLLING_RESTART);
    }

    @Test
    void the_three_minutes_of_the_build_have_every_fault_too() {
        assertThat(faults(Plan.of(1, Duration.ofMinutes(3)))).contains(Fault.values());
    }

    @Test
    void each_kind_comes_once_before_any_comes_again_in_an_order_of_the_seed() {
        List<Fault> first = firstRound(1);
        assertThat(first).doesNotHaveDuplicates();
        assertThat(firstRound(2)).containsExactlyInAnyOrderElementsOf(first).isNotEqualTo(first);
    }

    private static List<Fault> firstRound(long seed) {
        List<Fault> kinds = Arrays.stream(Fault.values())
                .filter(fault -> fault.inEachRound > 0)
                .toList();
        return faults(Plan.of(seed, Duration.ofMinutes(3))).stream()
                .filter(kinds::contains)
                .limit(kinds.size())
                .toList();
    }

    @Test
    void what_concerns_all_nodes_comes_once_in_twenty_minutes_and_at_least_once() {
        assertThat(faults(Plan.of(1, Duration.ofMinutes(3))))
                .containsOnlyOnce(Fault.ROLLING_RESTART, Fault.KILL_ALL_NODES);
        List<Fault> hour = faults(Plan.of(1, Duration.ofMinutes(60)));
        assertThat(Collections.frequency(hour, Fault.ROLLING_RESTART)).isEqualTo(3);
        assertThat(Collections.frequency(hour, Fault.KILL_ALL_NODES)).isEqualTo(3);
    }

    @Test
    void an_hour_has_far_more_than_500_faults() {
        assertThat(Plan.of(1, Duration.ofMinutes(60)).steps()).hasSizeGreaterThan(600);
    }

    @Test
    void one_fault_comes_at_regular_intervals() {
        Plan plan = Plan.of(1, Duration.ofMinutes(10), Fault.KILL_DATABASE, Duration.ofMinutes(1));

        assertThat(faults(plan)).hasSize(10).containsOnly(Fault.KILL_DATABASE);
        assertThat(plan.steps()).allMatch(step -> step.pauseMillis() == 60_000);
    }

    @Test
    void a_fault_that_the_machine_can_not_have_is_not_planned_and_all_others_are_the_same() {
        Plan plan = Plan.of(42, Duration.ofMinutes(4));
        Plan without = plan.without(Fault.DISK_FULL);

        assertThat(plan.kinds()).containsExactly(Fault.values());
        assertThat(without.kinds()).hasSize(Fault.values().length - 1).doesNotContain(Fault.DISK_FULL);
        assertThat(plan.steps()).containsSubsequence(without.steps());
    }

    private static List<Fault> faults(Plan plan) {
        return plan.steps().stream().map(Plan.Step::fault).toList();
    }
}
