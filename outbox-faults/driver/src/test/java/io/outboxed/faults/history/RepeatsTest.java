package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Findings.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A repeated success is explained by a fault that kept it from being stored, and by no other one. */
class RepeatsTest extends SmallHistory {

    @Test
    void a_repeat_needs_a_fault() {
        committed(2);
        couriers(1, 2, 2);
        assertThat(found()).containsExactlyInAnyOrder(Kind.REPEATED_OUTSIDE, Kind.REPEATED_WITHOUT_FAULT);
    }

    @Test
    void a_repeat_after_a_disturbance_is_explained() {
        committed(2);
        couriers(1, 2, 2);
        outages.disturb("node-1", "connections cut");
        assertThat(found()).containsExactlyInAnyOrder(Kind.REPEATED_OUTSIDE, Kind.REPEATED_WITHOUT_FAULT);
        calls.clear();
        long now = Micros.now() / 1000;
        calls.add(call("Courier", "id-1", 1, 1, now, now + 1, true));
        calls.add(call("Courier", "id-2", 2, 1, now + 2, now + 3, true));
        calls.add(call("Courier", "id-2", 2, 1, now + 4, now + 5, true));
        assertThat(found()).containsExactly(Kind.REPEATED_OUTSIDE);
    }

    @Test
    void a_repeat_long_after_the_fault_or_before_it_is_not_explained() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_100, true));
        calls.add(call("Courier", "id-1", 1, 1, 200_000, 200_001, true));
        outages.add("node-1", "killed", micros(20_000), micros(40_000));
        outages.add("database", "killed", micros(100_000), micros(110_000));
        outages.add("node-1", "half open", micros(199_000), micros(200_000));
        outages.add("node-2", "killed", micros(60_000), micros(61_000));
        assertThat(found()).containsExactlyInAnyOrder(Kind.REPEATED_OUTSIDE, Kind.REPEATED_WITHOUT_FAULT);
    }

    @Test
    void a_late_repeat_is_explained_by_a_fault_at_the_end_of_the_success() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_100, true));
        calls.add(call("Courier", "id-1", 1, 1, 200_000, 200_001, true));
        outages.add("node-1", "killed", micros(60_200), micros(80_000));
        assertThat(found()).containsExactly(Kind.REPEATED_OUTSIDE);
    }

    @Test
    void a_success_that_could_have_been_stored_before_the_fault_is_named() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_100, true));
        calls.add(call("Courier", "id-1", 1, 1, 200_000, 200_001, true));
        outages.add("node-1", "killed", micros(62_200), micros(80_000));
        assertThat(found()).containsExactlyInAnyOrder(Kind.REPEATED_OUTSIDE, Kind.REPEATED_LONG_BEFORE_FAULT);
    }

    @Test
    void a_repeat_of_an_event_without_an_order_needs_a_fault_too() {
        committed(1);
        couriers(1);
        seen = 1;
        committed.put("bell", new Facts.Event("bell", "", 0, "NONE", "reminder", 1, 0, 0));
        for (int time = 1; time <= 2; time++) {
            calls.add(new Call("node-1", "Bell", "bell", "-", 0, 1, micros(200 * time), micros(200 * time + 1), true));
        }
        assertThat(found()).containsExactlyInAnyOrder(Kind.REPEATED_OUTSIDE, Kind.REPEATED_WITHOUT_FAULT);
    }

    @Test
    void the_time_that_would_explain_a_repeat_is_that_of_the_faults_and_a_moment_around_them() {
        outages.add("node-1", "killed", micros(10_000), micros(14_000));
        outages.add("database", "killed", micros(12_000), micros(17_000));
        assertThat(RepeatCheck.explainable(outages, List.of("node-1"), 0, micros(100_000)))
                .isEqualTo(0.10);
        assertThat(RepeatCheck.explainable(outages, List.of("node-1", "node-2"), 0, micros(100_000)))
                .isEqualTo(0.09);
    }

    @Test
    void a_repeat_is_explained_by_an_outage_of_the_database_in_which_the_success_came() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_100, true));
        calls.add(call("Courier", "id-1", 1, 1, 75_000, 75_001, true));
        outages.add("database", "killed", micros(50_000), micros(74_000));
        assertThat(found()).containsExactly(Kind.REPEATED_OUTSIDE);
    }

    @Test
    void a_fault_while_a_long_call_was_running_explains_its_repeat() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 79_000, true));
        calls.add(call("Courier", "id-1", 1, 1, 90_000, 90_001, true));
        outages.add("node-1", "half open", micros(59_500), micros(65_000));
        assertThat(found()).containsExactly(Kind.REPEATED_OUTSIDE);
    }

    @Test
    void each_further_repeat_needs_a_fault_of_its_own() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_100, true));
        calls.add(call("Courier", "id-1", 1, 1, 75_000, 75_001, true));
        outages.add("node-1", "killed", micros(60_200), micros(70_000));
        assertThat(found()).containsExactly(Kind.REPEATED_OUTSIDE);
        calls.add(call("Courier", "id-1", 1, 1, 100_000, 100_001, true));
        assertThat(found()).containsExactlyInAnyOrder(Kind.REPEATED_OUTSIDE, Kind.REPEATED_WITHOUT_FAULT);
    }

    @Test
    void an_orderly_stop_explains_no_repeat() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_100, true));
        calls.add(call("Courier", "id-1", 1, 1, 75_000, 75_001, true));
        outages.add("node-1", Outages.STOPPED, micros(60_050), micros(70_000));
        outages.add("node-1", Outages.GONE, micros(61_000), micros(61_000));
        assertThat(found()).containsExactlyInAnyOrder(Kind.REPEATED_OUTSIDE, Kind.REPEATED_WITHOUT_FAULT);
    }
}
