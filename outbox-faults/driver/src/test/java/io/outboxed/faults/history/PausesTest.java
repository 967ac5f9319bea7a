package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When nothing was called although something could have been. */
class PausesTest extends SmallHistory {

    @Test
    void what_only_the_next_version_can_do_is_no_pause() {
        committed(1);
        committed.put("id-1", new Event("id-1", "L1", 1, "NONE", "transferred", 2, 0, 0));
        calls.add(call("Courier", "id-1", 1, 1, 20_000, 20_001, true));
        assertThat(pauses()).isEmpty();
    }

    @Test
    void nodes_that_take_turns_are_not_a_pause_of_one_node() {
        committed(2);
        handled("id-1", "L1", 1, 1_000);
        handled("id-2", "L1", 2, 21_000);
        outages.add("node-1", "killed", micros(10_000), micros(30_000));
        outages.add("node-2", "killed", 0, micros(10_000));
        List<String> nodes = List.of("node-1", "node-2");
        PauseCheck check = new PauseCheck(facts(), calls, outages);
        assertThat(check.pauses(outages, nodes, 0, micros(30_000)).get(0).length())
                .isEqualTo(micros(11_000));
        assertThat(check.longestOver(outages.available(nodes, 0, micros(30_000)))
                        .length())
                .isEqualTo(micros(19_999));
    }

    @Test
    void a_pause_is_unused_time_in_which_there_was_work() {
        committed(2);
        handled("id-1", "L1", 1, 1_000);
        handled("id-2", "L1", 2, 21_000);
        outages.add("database", "killed", micros(2_000), micros(5_000));
        assertThat(pauses()).startsWith(16_000_000L);
        outages.add("node-1", "killed", micros(5_000), micros(20_000));
        assertThat(pauses()).startsWith(1_000_000L, 1_000_000L);
    }

    @Test
    void a_node_whose_relay_has_not_joined_yet_makes_no_pause_and_explains_no_repetition() {
        committed(2);
        handled("id-1", "L1", 1, 1_000);
        handled("id-2", "L1", 2, 21_000);
        outages.add(Outages.joining("node-1"), "not joined yet", micros(2_000), micros(11_000));

        assertThat(pauses()).startsWith(10_000_000L);
        assertThat(outages.troubled("node-1", 0, micros(30_000))).isFalse();
        assertThat(outages.lostTouch("node-1", 0, micros(30_000))).isFalse();
    }

    @Test
    void an_aggregate_stands_still_although_others_do_not() {
        committed(2);
        committed.put("id-9", new Event("id-9", "L9", 1, "NONE", 0, 0));
        handled("id-1", "L1", 1, 1_000);
        handled("id-2", "L1", 2, 2_000);
        handled("id-9", "L9", 1, 25_000);
        outages.add("node-1", "killed", micros(3_000), micros(6_000));
        PauseCheck.Standstill longest = new PauseCheck(facts(), calls, outages)
                .longestStandstill(outages, List.of("node-1"), 0, micros(30_000));
        assertThat(longest.account()).isEqualTo("L9");
        assertThat(longest.span().length()).isEqualTo(micros(19_000));
    }

    @Test
    void an_aggregate_in_which_a_call_of_any_handler_hangs_does_not_stand_still() {
        committed(1);
        calls.add(call("Ledger", "id-1", 1, 1, 1_000, 21_000, true));
        calls.add(call("Courier", "id-1", 1, 1, 25_000, 25_001, true));
        assertThat(new PauseCheck(facts(), calls, outages)
                        .longestStandstill(outages, List.of("node-1"), 0, micros(30_000))
                        .span())
                .isEqualTo(new Spans.Span(micros(21_000), micros(25_000)));
    }

    @Test
    void a_standstill_without_a_fault_ends_with_any_fault() {
        committed(1);
        handled("id-1", "L1", 1, 25_000);
        assertThat(calmStandstill()).isEqualTo(micros(25_000));
        killed("node-2", 4_000, 10_000);
        assertThat(calmStandstill()).isEqualTo(micros(15_000));
        outages.add("node-3", "slow", micros(12_000), micros(14_000));
        assertThat(calmStandstill()).isEqualTo(micros(11_000));
    }

    @Test
    void what_waits_behind_poison_and_what_waits_for_its_replay_are_no_standstill_without_a_fault() {
        committed(3);
        committed.put("id-1", new Event("id-1", "L1", 1, "POISON", 0, 0));
        for (int number = 1; number <= 3; number++) {
            calls.add(call("Ledger", "id-" + number, number, 1, number, number + 1, true));
        }
        calls.add(call("Courier", "id-1", 1, 1, 10, 11, false));
        calls.add(call("Courier", "id-2", 2, 1, 20_000, 20_001, true));
        calls.add(call("Courier", "id-3", 3, 1, 23_000, 23_001, true));
        assertThat(calmStandstill()).isEqualTo(micros(23_000) - micros(20_001));
        replayed.add(new Letter("id-3", "Courier.deposited", "its node died each time it ran"));
        assertThat(calmStandstill()).isLessThan(micros(10));
    }

    private long calmStandstill() {
        return new PauseCheck(facts(), calls, outages)
                .longestStandstillWithoutFault(replayed, 0, micros(30_000))
                .span()
                .length();
    }

    @Test
    void a_handler_that_stands_still_is_seen_although_the_other_one_of_its_aggregate_goes_on() {
        committed(2);
        handled("id-1", "L1", 1, 1_000);
        calls.add(call("Ledger", "id-2", 2, 1, 2_000, 2_001, true));
        calls.add(call("Courier", "id-2", 2, 1, 25_000, 25_001, true));

        assertThat(pauses()).startsWith(23_000_000L);
    }

    @Test
    void the_backoff_of_an_attempt_is_no_pause_of_what_is_behind_it() {
        committed(2);
        calls.add(call("Ledger", "id-1", 1, 1, 0, 1, true));
        calls.add(call("Ledger", "id-2", 2, 1, 1, 2, true));
        calls.add(call("Courier", "id-1", 1, 3, 1_000, 1_001, false));
        calls.add(call("Courier", "id-1", 1, 4, 13_001, 13_002, true));
        calls.add(call("Courier", "id-2", 2, 1, 13_002, 13_003, true));

        assertThat(pauses()).startsWith(10_000_000L);
    }

    @Test
    void a_node_waits_for_the_lease_of_the_one_that_went_down_last() {
        committed(2);
        handled("id-1", "L1", 1, 1_000);
        handled("id-2", "L1", 2, 24_000);
        outages.add("node-2", Outages.STOPPED, micros(1_500), micros(1_600));
        outages.add("node-2", "frozen", micros(1_700), micros(1_900));
        outages.add("node-2", "cut off", micros(2_000), micros(13_000));
        assertThat(pauses("node-1", "node-2")).startsWith(22_000_000L, 11_000_000L, 1_000_000L);

        outages.add("node-2", "killed", micros(14_000), micros(30_000));
        assertThat(pauses("node-1", "node-2")).startsWith(12_000_000L, 10_000_000L);
    }

    @Test
    void a_node_without_connections_makes_no_pause_while_it_has_none() {
        committed(2);
        handled("id-1", "L1", 1, 1_000);
        handled("id-2", "L1", 2, 24_000);
        Outages.Outage held = new Outages.Outage("node-1", Outages.POOL_EXHAUSTED, false, micros(10_000));
        outages.add(held).to = micros(30_000);
        assertThat(pauses()).startsWith(8_999_000L);
    }

    private List<Long> pauses() {
        return pauses("node-1");
    }

    private List<Long> pauses(String... nodes) {
        return new PauseCheck(facts(), calls, outages)
                .pauses(outages, List.of(nodes), 0, micros(30_000)).stream()
                        .map(Spans.Span::length)
                        .toList();
    }
}
