package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PlanTest {

    @Test
    void a_seed_draws_the_same_plan_again_and_four_minutes_have_every_fault() {
        Plan plan = Plan.of(42, Duration.ofMinutes(4));

        assertThat(Plan.of(42, Duration.ofMinutes(4))).isEqualTo(plan);
        assertThat(Plan.of(43, Duration.ofMinutes(4))).isNotEqualTo(plan);
        assertThat(plan.steps()).extracting(Plan.Step::fault).contains(Fault.values());
        assertThat(Arrays.stream(Fault.values()).filter(fault -> fault.inEachRound == 0))
                .containsExactly(Fault.KILL_ALL_NODES);
    }
}
