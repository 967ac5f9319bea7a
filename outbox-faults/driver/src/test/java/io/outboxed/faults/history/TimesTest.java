package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Effect;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import org.junit.jupiter.api.Test;

/** Attempts that come too early, too often, or with a number that they cannot have. */
class TimesTest extends SmallHistory {

    @Test
    void a_second_try_before_its_backoff_is_early_and_a_repetition_of_the_first_is_not() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 100, 101, false));
        calls.add(call("Courier", "id-1", 1, 1, 150, 151, false));
        calls.add(call("Courier", "id-1", 1, 2, 651, 652, true));
        outages.add("node-1", "half open", 0, micros(140));
        assertThat(found()).isEmpty();
        calls.set(2, call("Courier", "id-1", 1, 2, 650, 652, true));
        assertThat(found()).containsExactly(Kind.EARLY);
    }

    @Test
    void a_failed_attempt_that_is_made_again_at_once_needs_a_fault_that_kept_it_from_being_stored() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 1, 20_500, 20_501, true));
        assertThat(found()).containsExactly(Kind.AGAIN_AT_ONCE);
        calls.set(1, call("Courier", "id-1", 1, 1, 20_501, 20_502, true));
        assertThat(found()).as("after its backoff").isEmpty();
        calls.set(1, call("Courier", "id-1", 1, 1, 20_500, 20_501, true));
        outages.add("database", "killed", micros(21_000), micros(25_000));
        assertThat(found()).isEmpty();
    }

    /** Its failure is not counted, and its backoff would be four seconds. */
    @Test
    void the_last_attempt_is_made_again_when_a_handler_that_counts_as_down_is_asked() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 4, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 4, 23_751, 23_752, true));
        assertThat(found()).isEmpty();
        calls.set(1, call("Courier", "id-1", 1, 4, 23_750, 23_751, true));
        assertThat(found()).containsExactly(Kind.AGAIN_AT_ONCE);
    }

    @Test
    void attempts_are_counted_up_to_the_most_and_from_one_again_only_after_a_replay() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 4, 1_000, 1_001, false));
        calls.add(call("Courier", "id-1", 1, 5, 20_000, 20_001, true));
        assertThat(found()).containsExactly(Kind.TOO_MANY);
        calls.set(1, call("Courier", "id-1", 1, 1, 20_000, 20_001, true));
        assertThat(found()).containsExactly(Kind.COUNTED_BACK);
        replayed.add(new Letter("id-1", "Courier.deposited", "No space left on device"));
        assertThat(found()).containsExactly(Kind.DEAD_OF_FULL_DISK);
        calls.set(1, call("Courier", "id-1", 1, 2, 20_000, 20_001, true));
        assertThat(found()).contains(Kind.COUNTED_BACK);
    }

    @Test
    void a_condemned_event_may_be_replayed_at_once() {
        committed.put("id-1", new Event("id-1", "L1", 1, "CONDEMNED", 0, 0));
        effects.add(new Effect("id-1", "L1", 1));
        letters.add(new Letter("id-1", "Courier.deposited", "condemned"));
        calls.add(call("Courier", "id-1", 1, 1, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 1, 20_030, 20_031, false));
        assertThat(found()).isEmpty();
    }

    @Test
    void a_second_try_does_not_wait_for_the_first_one_of_a_node_that_was_frozen_meanwhile() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 100, 20_000, false));
        calls.add(call("Courier", "id-1", 1, 2, 20_100, 20_101, true));
        assertThat(found()).contains(Kind.EARLY);
        outages.add("node-1", Outages.FROZEN, micros(5_000), micros(20_000));
        assertThat(found()).doesNotContain(Kind.EARLY);
    }

    @Test
    void a_late_call_of_a_woken_node_has_the_number_of_before() {
        committed(1);
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(12_000), micros(12_001), false));
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 2, micros(13_000), micros(13_001), true));
        calls.add(call("Courier", "id-1", 1, 1, 20_010, 20_011, true));
        assertThat(found()).contains(Kind.COUNTED_BACK);
        outages.add("node-1", Outages.FROZEN, micros(5_000), micros(20_000));
        assertThat(found()).doesNotContain(Kind.COUNTED_BACK);
    }

    @Test
    void a_replay_begins_at_one_unless_a_fault_kept_a_counted_attempt_from_being_made() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 4, 100, 101, false));
        calls.add(call("Courier", "id-1", 1, 2, 60_000, 60_001, true));
        replayed.add(new Letter("id-1", "Courier.deposited", "No space left on device"));
        assertThat(found()).contains(Kind.COUNTED_BACK);
        outages.add("node-1", Outages.STOPPED, micros(20_000), micros(21_000));
        outages.add("node-1", Outages.GONE, micros(21_000), micros(21_000));
        assertThat(found()).as("a clean stop takes the count back").contains(Kind.COUNTED_BACK);
        killed("node-1", 30_000, 40_000);
        assertThat(found()).doesNotContain(Kind.COUNTED_BACK);
    }
}
