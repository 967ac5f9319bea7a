package io.outboxed.internal.relay.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The relay's protocol as a model, searched in full: two nodes, one shard, every interleaving of their steps with up to
 * {@code -Dmodel.faults=N} faults (see docs/guarantees.md, 1 and 3 to 6). A node may stop at any step and continue as a
 * zombie; beats, takeover, hand-over, suspects, both kinds of handlers, records of successes, failures, retries, dead
 * letters and replays are in it.
 *
 * <p>It models the protocol and not the code: no SQL, no threads, no page limits. Each message has one handler. Left
 * out: several handlers of one message, unknown types, delayed and over-long lanes, the policy {@code block}, outages,
 * several shards, and what a handler that has stalled past its lease does outside the database.
 */
class RelayModelTest {
    private static final int FAULTS = Integer.getInteger("model.faults", 2);
    private static final List<Integer> ONE_LANE = List.of(0, 0);
    private static final List<Integer> LONG_LANE = List.of(0, 0, 0);
    private static final List<Integer> TWO_LANES = List.of(0, 0, 1);

    @Test
    void outside_handlers_keep_the_promises_beside_transactional_ones_of_another_aggregate() {
        holds(Scenario.of(TWO_LANES, Set.of(0, 1), FAULTS));
    }

    @Test
    void transactional_handlers_keep_the_promises() {
        holds(Scenario.of(TWO_LANES, Set.of(), FAULTS));
    }

    @Test
    void an_aggregate_with_an_outside_and_a_transactional_handler_keeps_the_promises() {
        holds(Scenario.of(TWO_LANES, Set.of(0), FAULTS));
    }

    @Test
    void a_row_of_outside_calls_keeps_the_promises_under_more_faults() {
        holds(Scenario.of(LONG_LANE, Set.of(0, 1, 2), FAULTS + 1));
    }

    @Test
    void a_transactional_event_between_outside_ones_keeps_the_promises_under_more_faults() {
        holds(Scenario.of(LONG_LANE, Set.of(0, 2), FAULTS + 1));
    }

    @Test
    void an_event_that_kills_its_node_each_time_ends_as_a_dead_letter() {
        holds(Scenario.of(ONE_LANE, Set.of(), FAULTS - 1).withPoison(0));
    }

    @ParameterizedTest
    @CsvSource({
        "DEATH_AFTER_LAPSE, two nodes with valid leases",
        "LEASE_BEFORE_CALL, an older event",
        "EPOCH_FENCE, without the epoch",
        "HAND_OVER_WAITS, two nodes with valid leases",
        "LEAVING_STARTS_NOTHING, two nodes with valid leases",
        "FOUND_HAS_SUSPECTS, an older event",
        "RELEASE_KEEPS_SUSPECTS, an older event",
        "COUNT_BEFORE_RUN, an older event",
        "START_RAISES_FOLLOWERS, an older event",
        "START_IS_WHOLE, an older event",
        "ACKNOWLEDGE_BY_VERSION, an older event",
        "ACKNOWLEDGE_BY_STATUS, an older event",
        "NOTHING_BEHIND_A_HELD_ROW, an older event",
        "OUTCOMES_IN_ORDER, has begun m1 before m0",
        "GROUP_WAITS, has begun m1 before m0",
        "LOWEST_WAITING_FIRST, has begun m1 before m0",
        "REPLAY_BEHIND, has begun m1 before m0"
    })
    void outside_handlers_need_each_rule(Rule rule, String broken) {
        breaks(Scenario.of(ONE_LANE, Set.of(0, 1), 2).without(rule), rule, broken);
    }

    @ParameterizedTest
    @CsvSource({
        "DEATH_AFTER_LAPSE, two nodes with valid leases",
        "EPOCH_FENCE, without the epoch",
        "HAND_OVER_WAITS, two nodes with valid leases",
        "MARK_FIRST, is lost",
        "COUNT_OF_ONE, has begun m1 before m0",
        "READ_AGAIN, has begun m1 before m0",
        "GROUP_WAITS, has begun m1 before m0",
        "LOWEST_WAITING_FIRST, has begun m1 before m0",
        "REPLAY_BEHIND, has begun m1 before m0"
    })
    void transactional_handlers_need_each_rule(Rule rule, String broken) {
        breaks(Scenario.of(ONE_LANE, Set.of(), 2).without(rule), rule, broken);
    }

    @Test
    void without_the_count_of_one_a_zombie_has_a_second_effect() {
        Scenario mixed = Scenario.of(ONE_LANE, Set.of(0), 2);
        breaks(mixed.without(Rule.COUNT_OF_ONE), Rule.COUNT_OF_ONE, "two effects");
    }

    @Test
    void a_transactional_handler_has_to_wait_for_the_records_before_it() {
        Scenario mixed = Scenario.of(ONE_LANE, Set.of(0), 2);
        breaks(mixed.without(Rule.TRANSACTION_WAITS_FOR_RECORDS), Rule.TRANSACTION_WAITS_FOR_RECORDS, "an older event");
    }

    @Test
    void a_message_that_kills_nodes_does_so_for_ever_unless_it_is_counted_before_it_runs() {
        Scenario poisoned = Scenario.of(ONE_LANE, Set.of(), 0).withPoison(0);
        breaks(poisoned.without(Rule.COUNT_BEFORE_RUN), Rule.COUNT_BEFORE_RUN, "no way to an empty table");
    }

    private static void holds(Scenario scenario) {
        ModelChecker.Result result = new ModelChecker(scenario).search();
        System.out.println(scenario.lanes() + ", outside " + scenario.outside() + ", faults " + scenario.faults() + ": "
                + result.states() + " states");
        assertThat(result.violation()).isEmpty();
    }

    private static void breaks(Scenario scenario, Rule rule, String broken) {
        ModelChecker.Result result = new ModelChecker(scenario).search();
        System.out.println("without " + rule + ": " + result.violation().orElse("nothing") + "\n");
        assertThat(result.violation()).get().asString().contains(broken);
    }
}
