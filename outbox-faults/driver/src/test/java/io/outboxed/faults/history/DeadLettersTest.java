package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which dead letters are expected, and what waits for them. */
class DeadLettersTest extends SmallHistory {

    @Test
    void an_effect_of_a_dead_letter_comes_when_it_is_replayed_and_all_others_in_order() {
        committed(3);
        couriers(1, 2, 3);
        effects.add(effects.remove(0));
        seen = 1;
        assertThat(found()).contains(Kind.REORDERED, Kind.OLDER_STATE);
        replayed.add(new Letter("id-1", "Ledger.deposited", "No space left on device"));
        assertThat(found()).containsExactly(Kind.DEAD_OF_FULL_DISK);
        seen = 2;
        assertThat(found()).containsExactlyInAnyOrder(Kind.DEAD_OF_FULL_DISK, Kind.OLDER_STATE);
    }

    @Test
    void a_dead_letter_says_that_the_disk_was_full() {
        assertThat(List.of(
                        "ERROR: could not extend file \"base/13508/16422\": No space left on device\n  Hint: Check",
                        "java.sql.SQLException: The table 'faults_effect' is full"))
                .allMatch(error -> new Letter("id-1", "Ledger.deposited", error).blamesFullDisk());
        assertThat(new Letter("id-1", "Ledger.deposited", "poison").blamesFullDisk())
                .isFalse();
    }

    @Test
    void what_comes_after_poison_waits_for_its_last_try() {
        committed(2);
        committed.put("id-1", new Event("id-1", "L1", 1, "CONDEMNED", 0, 0));
        letters.add(new Letter("id-1", "Courier.deposited", "condemned"));
        calls.add(call("Courier", "id-1", 1, 1, 100, 101, false));
        calls.add(call("Courier", "id-2", 2, 1, 200, 201, true));
        assertThat(found()).isEmpty();
        calls.remove(0);
        assertThat(found()).containsExactly(Kind.REORDERED);
    }

    @Test
    void poison_waits_for_the_success_of_what_comes_before_it() {
        committed(3);
        committed.put("id-2", new Event("id-2", "L1", 2, "CONDEMNED", 0, 0));
        letters.add(new Letter("id-2", "Courier.deposited", "condemned"));
        calls.add(call("Courier", "id-1", 1, 1, 100, 101, false));
        calls.add(call("Courier", "id-1", 1, 2, 700, 701, true));
        calls.add(call("Courier", "id-2", 2, 1, 800, 801, false));
        calls.add(call("Courier", "id-3", 3, 1, 900, 901, true));
        assertThat(found()).isEmpty();
        calls.set(2, call("Courier", "id-2", 2, 1, 600, 601, false));
        calls.sort(Comparator.comparingLong(Call::start));
        assertThat(found()).containsExactly(Kind.REORDERED);
    }

    @Test
    void so_does_a_dead_letter_of_another_cause_but_only_in_its_handler_group() {
        committed(2);
        calls.add(call("Ledger", "id-1", 1, 1, 100, 101, true));
        calls.add(call("Ledger", "id-2", 2, 1, 200, 201, false));
        calls.add(call("Courier", "id-1", 1, 1, 300, 301, true));
        calls.add(call("Courier", "id-2", 2, 1, 400, 401, true));
        replayed.add(new Letter("id-2", "Ledger.deposited", "No space left on device"));
        assertThat(found()).containsExactly(Kind.DEAD_OF_FULL_DISK);
        calls.set(0, call("Ledger", "id-1", 1, 1, 250, 251, true));
        calls.sort(Comparator.comparingLong(Call::start));
        assertThat(found()).containsExactlyInAnyOrder(Kind.DEAD_OF_FULL_DISK, Kind.REORDERED);
    }

    @Test
    void a_replayed_dead_letter_waits_neither_for_its_predecessor_again_nor_for_one_that_is_a_dead_letter_too() {
        committed(3);
        for (int number = 2; number <= 3; number++) {
            committed.put("id-" + number, new Event("id-" + number, "L1", number, "POISON", 0, 0));
        }
        couriers(1);
        calls.add(call("Courier", "id-2", 2, 4, 20_000, 20_001, false));
        calls.add(call("Courier", "id-3", 3, 4, 30_000, 30_001, false));
        calls.add(call("Courier", "id-1", 1, 1, 40_000, 40_001, false));
        calls.add(call("Courier", "id-3", 3, 1, 60_000, 60_001, true));
        calls.add(call("Courier", "id-2", 2, 1, 70_000, 70_001, true));
        calls.add(call("Courier", "id-1", 1, 1, 80_000, 80_001, true));
        assertThat(found()).doesNotContain(Kind.REORDERED);
    }

    @Test
    void a_last_try_just_after_a_node_woke_is_the_end_of_poison() {
        committed(2);
        committed.put("id-1", new Event("id-1", "L1", 1, "POISON", 0, 0));
        letters.add(new Letter("id-1", "Courier.deposited", "poison"));
        calls.add(call("Courier", "id-1", 1, 4, 20_500, 20_501, false));
        calls.add(call("Courier", "id-2", 2, 1, 23_500, 23_501, true));
        outages.add("node-1", Outages.FROZEN, micros(5_000), micros(20_000));
        assertThat(found()).doesNotContain(Kind.REORDERED, Kind.LATE_OF_WOKEN);
    }

    @Test
    void a_last_try_that_was_cut_off_is_the_end_of_poison_if_its_dead_letter_says_so() {
        committed(2);
        committed.put("id-1", new Event("id-1", "L1", 1, "POISON", 0, 0));
        calls.add(new Call("node-1", "Courier", "id-1", "L1", 1, 4, micros(100), Call.NEVER, false));
        calls.add(call("Courier", "id-2", 2, 1, 200, 201, true));
        letters.add(new Letter("id-1", "Courier.deposited", "poison"));
        assertThat(found()).contains(Kind.REORDERED);
        letters.set(
                0,
                new Letter(
                        "id-1", "Courier.deposited", "the last of 4 attempts ended without an outcome: its node died"));
        assertThat(found()).contains(Kind.NOT_ENDED).doesNotContain(Kind.REORDERED);
    }

    /** The next event is called half a minute after the third of four tries. */
    private void poisonWhoseLastTryWasNotMade() {
        committed(2);
        committed.put("id-1", new Event("id-1", "L1", 1, "POISON", 0, 0));
        letters.add(new Letter(
                "id-1", "Courier.deposited", "the last of 4 attempts ended without an outcome: its node died"));
        calls.add(call("Courier", "id-1", 1, 3, 100, 101, false));
        calls.add(call("Courier", "id-2", 2, 1, 30_000, 30_001, true));
    }

    @Test
    void a_last_try_that_was_counted_but_not_made_is_the_end_of_poison_if_its_node_died_and_its_dead_letter_says_so() {
        poisonWhoseLastTryWasNotMade();
        assertThat(found()).contains(Kind.REORDERED);
        killed("node-1", 10_000, 20_000);
        assertThat(found()).doesNotContain(Kind.REORDERED);
        calls.set(0, call("Courier", "id-1", 1, 2, 100, 101, false));
        assertThat(found()).as("another attempt was left").contains(Kind.REORDERED);
    }

    @Test
    void so_is_one_that_another_node_counted_and_did_not_make_because_it_was_cut_off() {
        poisonWhoseLastTryWasNotMade();
        outages.add("node-2", "answers lost", micros(40_000), micros(50_000));
        assertThat(found()).as("only later").contains(Kind.REORDERED);
        outages.add("node-2", "answers lost", micros(10_000), micros(14_000));
        assertThat(found()).as("it kept its lease").contains(Kind.REORDERED);
        outages.add("node-2", Outages.STOPPED, micros(15_000), micros(16_000));
        outages.add("node-2", Outages.GONE, micros(16_000), micros(16_000));
        assertThat(found()).as("a clean stop takes the count back").contains(Kind.REORDERED);
        outages.add("node-2", "answers lost", micros(17_000), micros(27_000));
        assertThat(found()).doesNotContain(Kind.REORDERED);
        calls.set(1, call("Courier", "id-2", 2, 1, 1_500, 1_501, true));
        outages.add("node-3", Outages.KILLED, micros(200), micros(400));
        assertThat(found()).as("before the last try was due").contains(Kind.REORDERED);
    }

    @Test
    void a_condemned_event_needs_its_dead_letter_and_no_other_event_has_one() {
        committed(2);
        couriers(1, 2);
        committed.put("id-1", new Event("id-1", "L1", 1, "CONDEMNED", 0, 0));
        letters.add(new Letter("id-2", "Courier.deposited", "an error"));
        assertThat(found()).contains(Kind.DEAD_MISSING, Kind.DEAD_UNEXPECTED);
    }

    @Test
    void a_dead_letter_that_blames_its_node_needs_a_call_that_was_cut_off() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_001, true));
        replayed.add(new Letter("id-1", "Courier.deposited", "its node died each time it ran"));
        assertThat(found()).containsExactly(Kind.DEAD_UNEXPECTED);
        killed("node-1", 61_000, 70_000);
        assertThat(found()).containsExactly(Kind.DEAD_OF_CRASHES);
    }

    /** Its start is counted once for all of its handlers, before the first of them is called. */
    @Test
    void or_a_call_of_the_same_event_by_another_handler() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 60_000, 60_001, true));
        calls.add(call("Ledger", "id-1", 1, 1, 20_000, 20_001, true));
        calls.add(call("Auditor", "id-1", 1, 1, 90_000, 90_001, true));
        replayed.add(new Letter("id-1", "Courier.deposited", "its node died each time it ran"));
        assertThat(found()).contains(Kind.DEAD_UNEXPECTED);
        killed("node-1", 90_500, 99_000);
        assertThat(found()).as("after it was replayed").contains(Kind.DEAD_UNEXPECTED);
        killed("node-1", 20_500, 30_000);
        assertThat(found()).contains(Kind.DEAD_OF_CRASHES).doesNotContain(Kind.DEAD_UNEXPECTED);
    }

    /** Its start is counted before it is queued for its first call. */
    @Test
    void or_three_nodes_that_were_lost_before_its_first_call() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 58_000, 58_001, true));
        replayed.add(new Letter("id-1", "Courier.deposited", "its node died each time it ran"));
        killed("node-1", 10_000, 20_000);
        killed("node-2", 25_000, 35_000);
        killed("node-1", 61_500, 70_000);
        assertThat(found()).as("two before, one after").containsExactly(Kind.DEAD_UNEXPECTED);
        outages.add(Outages.joining("node-2"), "not joined yet", micros(35_000), micros(50_000));
        assertThat(found()).as("a slow join is no loss").containsExactly(Kind.DEAD_UNEXPECTED);
        outages.add("node-2", Outages.FROZEN, micros(24_000), micros(36_000));
        assertThat(found()).as("one that was frozen and killed").containsExactly(Kind.DEAD_UNEXPECTED);
        killed("node-3", 40_000, 50_000);
        assertThat(found()).containsExactly(Kind.DEAD_OF_CRASHES);
        committed.put("id-1", new Event("id-1", "L1", 1, "NONE", "deposited", 1, 0, micros(12_000)));
        assertThat(found()).as("the first one before it was due").contains(Kind.DEAD_UNEXPECTED);
    }

    @Test
    void a_poisoned_event_that_was_cured_before_it_was_given_up_holds_up_nothing() {
        committed(2);
        committed.put("id-1", new Event("id-1", "L1", 1, "POISON", 0, 0));
        calls.add(call("Courier", "id-1", 1, 1, 100, 101, false));
        calls.add(call("Courier", "id-1", 1, 2, 90_000, 90_001, true));
        calls.add(call("Courier", "id-2", 2, 1, 90_100, 90_101, true));
        assertThat(found()).isEmpty();
    }
}
