package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real relay, without threads, on the in-memory store: a seed decides how writers, nodes and their database are
 * disturbed. A failing seed replays exactly: {@code -Dsimulation.seed=N}, with {@code -Dsimulation.trace=true} it
 * prints all that happens.
 */
class RelaySimulationTest {
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final int FRESH = Integer.getInteger("simulation.seeds", 100);
    private static final int OF_EACH_THEME = 10;

    /** Seeds that once failed, and why. They reproduce that only as long as a seed draws the same random numbers. */
    private static final Map<Long, String> FAILED_ONCE = Map.ofEntries(
            Map.entry(1915L, "messages that were adopted after their lane was forgotten are overtaken"),
            Map.entry(705223L, "a deferral restarts the count of unclear ends"),
            Map.entry(2011324L, "a handler whose success is recorded is adopted by a node that does not know it yet"),
            Map.entry(2012929L, "a late success of a blocked delivery leaves its lane blocked for ever"),
            Map.entry(3006408L, "the registry is read again without asking for adoption"),
            Map.entry(5000546L, "a count is forgotten when that of the next shard fails"),
            Map.entry(5006043L, "a count is forgotten when that of the next shard fails"),
            Map.entry(7078774L, "an outage during writes that are made one by one repeats them"),
            Map.entry(20064363L, "a woken zombie reads again what it acknowledged too late, and accuses its writers"));

    @Test
    void the_promises_hold_under_every_seed() throws InterruptedException {
        Long only = Long.getLong("simulation.seed");
        long first = only != null ? only : System.nanoTime() % 1_000_000;
        int count = only != null ? 1 : FRESH;
        System.out.println("seeds " + first + " to " + (first + count - 1));
        assertThat(new Simulation(null, THREADS, 20, System.out).run(first, count))
                .isEmpty();
    }

    @Test
    void what_failed_once_does_not_fail_again() {
        Simulation simulation = new Simulation(null, 1, 1, System.out);
        FAILED_ONCE.forEach((seed, what) -> assertThat(simulation.violation(seed))
                .as("seed " + seed + ": " + what)
                .isNull());
    }

    @Test
    void what_failed_once_with_locks_does_not_fail_again() {
        assertThat(new Simulation(Theme.LOCKS_OF_A_ZOMBIE, 1, 1, System.out).violation(170001826))
                .as("a node without lanes reads on without a pause and delays the one that has them")
                .isNull();
        Simulation forgotten = new Simulation(Theme.PARKED_LANE_IS_FORGOTTEN, 1, 1, System.out);
        for (long seed : new long[] {410, 1333}) {
            assertThat(forgotten.violation(seed))
                    .as("later rows of a lane are read as if those before them were not being parked")
                    .isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(Theme.class)
    void the_promises_hold_where_this_could_go_wrong(Theme theme) throws InterruptedException {
        assertThat(new Simulation(theme, THREADS, 5, System.out).run(1, OF_EACH_THEME))
                .isEmpty();
    }
}
