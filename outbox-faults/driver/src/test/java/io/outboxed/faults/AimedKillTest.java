package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AimedKillTest {

    @Test
    void a_kill_that_comes_again_waits_for_half_as_many_statements() {
        Plan.Step first = new Plan.Step(3_000, Fault.KILL_DURING_ACK, 0, 0.99, false);
        List<Integer> occurrences = Stream.iterate(first, Plan.Step::sooner)
                .limit(7)
                .map(step -> AimedKill.occurrence(step.draw()))
                .toList();
        assertThat(occurrences).containsExactly(40, 20, 10, 5, 3, 2, 1);
        assertThat(first.hasWaited()).isFalse();
        assertThat(first.sooner().hasWaited()).isTrue();
    }
}
