package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Effect;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Findings.Kind;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

/** What a node that was frozen past its lease may still do, and what not. */
class WokenNodesTest extends SmallHistory {

    @Test
    void a_call_of_a_woken_node_is_named_and_changes_no_order() {
        committed(3);
        calls.add(call("Courier", "id-1", 1, 1, 100, 101, true));
        calls.add(call("Courier", "id-2", 2, 1, 200, 201, true));
        calls.add(call("Courier", "id-1", 1, 1, 20_010, 20_011, true));
        calls.add(call("Courier", "id-3", 3, 1, 23_500, 23_501, true));
        assertThat(found()).contains(Kind.REORDERED);
        outages.add("node-1", Outages.FROZEN, micros(5_000), micros(20_000));
        assertThat(found()).containsExactly(Kind.LATE_OF_WOKEN);
    }

    @Test
    void a_receiver_that_a_woken_node_leaves_with_an_older_state_is_named() {
        committed(3);
        couriers(1, 2, 3);
        calls.add(call("Courier", "id-1", 1, 1, 20_010, 20_011, true));
        outages.add("node-1", Outages.FROZEN, micros(5_000), micros(20_000));
        assertThat(found()).containsExactlyInAnyOrder(Kind.LATE_OF_WOKEN, Kind.OLDER_STATE_OF_WOKEN);
        calls.set(3, call("Courier", "id-1", 1, 1, 20_010, 20_011, false));
        assertThat(found()).as("a failure changes nothing").containsExactly(Kind.LATE_OF_WOKEN);
        calls.set(3, call("Courier", "id-1", 1, 1, 24_010, 24_011, true));
        assertThat(found()).as("too late to be excused").contains(Kind.OLDER_STATE);
    }

    @Test
    void a_node_on_a_slow_machine_takes_up_to_three_seconds_to_wake() {
        committed(3);
        calls.add(call("Courier", "id-1", 1, 1, 100, 101, true));
        calls.add(call("Courier", "id-2", 2, 1, 200, 201, true));
        calls.add(call("Courier", "id-1", 1, 1, 22_900, 22_901, true));
        calls.add(call("Courier", "id-3", 3, 1, 23_500, 23_501, true));
        outages.add("node-1", Outages.FROZEN, micros(5_000), micros(20_000));
        assertThat(found()).containsExactly(Kind.LATE_OF_WOKEN);
        calls.set(2, call("Courier", "id-1", 1, 1, 23_100, 23_101, true));
        assertThat(found()).contains(Kind.REORDERED);
    }

    @Test
    void a_woken_worker_makes_one_late_call_and_no_second_one() {
        committed(3);
        couriers(1, 2);
        calls.add(call("Courier", "id-1", 1, 1, 60_010, 60_011, true));
        calls.add(call("Courier", "id-2", 2, 1, 60_020, 60_021, true));
        calls.add(call("Courier", "id-3", 3, 1, 63_500, 63_501, true));
        outages.add("node-1", Outages.FROZEN, micros(45_000), micros(60_000));
        assertThat(found()).contains(Kind.LATE_OF_WOKEN, Kind.REPEATED_WITHOUT_FAULT);
    }

    @Test
    void a_woken_node_has_no_more_late_workers_than_it_has_workers() {
        seen = 1;
        for (int aggregate = 1; aggregate <= 9; aggregate++) {
            String id = "id-" + aggregate;
            String account = "L" + aggregate;
            committed.put(id, new Event(id, account, 1, "NONE", 0, 0));
            effects.add(new Effect(id, account, 1));
            calls.add(new Call("node-1", "Courier", id, account, 1, 1, micros(100), micros(101), true));
            calls.add(new Call("node-1", "Courier", id, account, 1, 1, micros(60_010), micros(60_011), true));
        }
        calls.sort(Comparator.comparingLong(Call::start));
        outages.add("node-1", Outages.FROZEN, micros(45_000), micros(60_000));
        assertThat(found()).contains(Kind.LATE_OF_WOKEN, Kind.REPEATED_WITHOUT_FAULT);
        calls.removeIf(call -> call.account().equals("L9") && call.start() > micros(60_000));
        assertThat(found()).containsExactly(Kind.LATE_OF_WOKEN);
    }
}
