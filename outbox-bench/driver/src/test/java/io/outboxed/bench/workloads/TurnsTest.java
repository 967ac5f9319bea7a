package io.outboxed.bench.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

    @Test
    void each_system_follows_and_precedes_its_neighbour_equally_often() {
        assertThat(Turns.of(List.of("a", "b", "c"), 1)).containsExactly("a", "b", "c");
        assertThat(Turns.of(List.of("a", "b", "c"), 2)).containsExactly("c", "b", "a");
        assertThat(Turns.of(List.of("a", "b", "c"), 3)).containsExactly("a", "b", "c");
    }
}
