package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Effect;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each check finds the violation that it is for. */
class ChecksTest extends SmallHistory {

    @Test
    void a_history_without_faults_is_clean() {
        committed(3);
        couriers(1, 2, 3);
        assertThat(found()).isEmpty();
    }

    @Test
    void what_is_repeated_is_followed_by_what_came_after_it() {
        committed(3);
        couriers(1, 2, 3, 2, 3);
        outages.add("node-1", "killed", 0, micros(1000));
        assertThat(found()).containsExactly(Kind.REPEATED_OUTSIDE);
    }

    @Test
    void an_event_that_no_outside_handler_got_is_lost() {
        committed(2);
        couriers(1);
        assertThat(found()).contains(Kind.LOST);
    }

    @Test
    void an_event_without_an_effect_is_lost() {
        committed(2);
        couriers(1, 2);
        effects.remove(1);
        assertThat(found()).containsExactly(Kind.LOST);
    }

    @Test
    void a_call_for_an_uncommitted_event_is_a_phantom_event() {
        committed(1);
        couriers(1);
        calls.add(call("Courier", "rolled-back", 2, 1, 900, 901, true));
        assertThat(found()).containsExactly(Kind.PHANTOM_EVENTS);
    }

    @Test
    void a_request_has_its_effect_once_if_it_was_answered_and_at_most_once_otherwise() {
        requests.answered().addAll(List.of("one", "lost", "two"));
        requests.done().putAll(Map.of("one", 1L, "two", 2L, "not answered", 1L));

        assertThat(found()).containsExactlyInAnyOrder(Kind.REQUEST_LOST, Kind.REQUEST_DOUBLED);
    }

    @Test
    void a_second_row_of_an_effect_is_doubled() {
        committed(2);
        couriers(1, 2);
        effects.add(effects.get(1));
        assertThat(found()).contains(Kind.DOUBLED);
    }

    @Test
    void effects_in_another_order_than_their_numbers_are_reordered() {
        committed(2);
        couriers(1, 2);
        effects.add(effects.remove(0));
        assertThat(found()).containsExactly(Kind.REORDERED);
    }

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
    void a_gap_between_two_calls_is_reordered() {
        committed(3);
        couriers(1, 3, 2, 3);
        assertThat(found()).contains(Kind.REORDERED);
    }

    @Test
    void what_comes_after_a_failure_waits_for_its_repetition() {
        committed(2);
        calls.add(call("Courier", "id-1", 1, 1, 100, 101, false));
        calls.add(call("Courier", "id-2", 2, 1, 200, 201, true));
        calls.add(call("Courier", "id-1", 1, 2, 900, 901, true));
        assertThat(found()).contains(Kind.REORDERED, Kind.OLDER_STATE);
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
    void two_calls_at_once_overlap() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 100, 200, true));
        calls.add(call("Courier", "id-1", 1, 1, 150, 160, true));
        assertThat(found()).contains(Kind.OVERLAPPED);
    }

    @Test
    void a_call_that_never_ended_overlaps_until_its_node_was_killed() {
        committed(1);
        calls.add(new Call("node-1", "Courier", "id-1", "L1", 1, 1, micros(100), Call.NEVER, false));
        calls.add(call("Courier", "id-1", 1, 1, 30_000, 30_001, true));
        assertThat(found()).contains(Kind.OVERLAPPED);
        killed("node-1", 30_001, 40_000);
        assertThat(found()).contains(Kind.OVERLAPPED);
        killed("node-1", 29_000, 40_000);
        assertThat(found()).doesNotContain(Kind.OVERLAPPED);
    }

    @Test
    void an_outage_of_the_database_takes_no_lease_away() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 100, 20_000, true));
        calls.add(call("Courier", "id-1", 1, 1, 15_000, 15_001, true));
        outages.add("database", "killed", micros(200), micros(14_000));
        assertThat(found()).contains(Kind.OVERLAPPED);
    }

    @Test
    void a_call_that_was_cut_off_by_the_lease_may_overlap_its_repetition() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 100, 20_000, true));
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(15_000), micros(15_001), true));
        outages.add("node-1", "half open", micros(200), micros(19_000));
        assertThat(found()).contains(Kind.OVERLAPPED_STALLED).doesNotContain(Kind.OVERLAPPED);
        calls.set(1, call("Courier", "id-1", 1, 1, 15_000, 15_001, true));
        assertThat(found()).as("a node knows its own calls").contains(Kind.OVERLAPPED);
    }

    @Test
    void a_long_call_that_may_overlap_hides_no_overlap_of_others() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 100, 60_000, true));
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(15_000), micros(15_100), true));
        outages.add("node-1", "half open", micros(200), micros(59_000));
        assertThat(found()).doesNotContain(Kind.OVERLAPPED);
        calls.add(new Call("node-3", "Courier", "id-1", "L1", 1, 1, micros(15_050), micros(15_060), true));
        assertThat(found()).contains(Kind.OVERLAPPED);
    }

    @Test
    void a_stopped_node_works_until_it_is_gone() {
        committed(1);
        calls.add(new Call("node-1", "Courier", "id-1", "L1", 1, 1, micros(100), Call.NEVER, false));
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(3_000), micros(3_001), true));
        outages.add("node-1", Outages.STOPPED, micros(1_000), micros(9_000));
        outages.add("node-1", Outages.GONE, micros(4_000), micros(4_000));
        assertThat(found()).contains(Kind.OVERLAPPED);
        calls.set(1, new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(4_000), micros(4_001), true));
        assertThat(found()).doesNotContain(Kind.OVERLAPPED);
    }

    @Test
    void a_call_whose_node_lost_its_lock_session_may_overlap_its_repetition_about_a_lease_later() {
        committed(1);
        outages.add("node-1", "connections cut", micros(1_000), micros(1_000));
        overlapAt(12_000);
        assertThat(found()).as("leased shards").contains(Kind.OVERLAPPED);
        lockSessions = true;
        assertThat(found()).contains(Kind.OVERLAPPED_STALLED).doesNotContain(Kind.OVERLAPPED);
        overlapAt(5_000);
        assertThat(found()).as("too early").contains(Kind.OVERLAPPED);
        outages.add("database", "killed", micros(2_000), micros(3_000));
        assertThat(found()).as("it may free locks too early").doesNotContain(Kind.OVERLAPPED);
    }

    @Test
    void a_lock_session_that_was_lost_before_the_call_explains_no_overlap() {
        committed(1);
        lockSessions = true;
        outages.add("node-1", "connections cut", 0, 0);
        calls.add(call("Courier", "id-1", 1, 1, 10_000, 30_000, true));
        calls.add(call("Courier", "id-1", 1, 1, 25_000, 25_001, true));
        assertThat(found()).contains(Kind.OVERLAPPED);
    }

    private void overlapAt(long millis) {
        calls.clear();
        calls.add(call("Courier", "id-1", 1, 1, 100, 20_000, true));
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(millis), micros(millis + 1), true));
    }

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

    @Test
    void a_receiver_that_saw_the_second_to_last_event_at_the_end_has_an_older_state() {
        committed(2);
        couriers(1, 2, 1);
        assertThat(found()).contains(Kind.OLDER_STATE);
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

    @Test
    void an_event_of_the_next_version_needs_its_new_handler_and_one_of_the_first_version_does_not() {
        committed(2);
        couriers(1, 2);
        assertThat(found()).isEmpty();
        committed.put("id-2", new Event("id-2", "L1", 2, "NONE", "withdrawn", 2, 0, 0));
        assertThat(found()).containsExactly(Kind.LOST);
        calls.add(call("Auditor", "id-2", 2, 1, 900, 901, true));
        assertThat(found()).isEmpty();
        calls.add(call("Auditor", "id-1", 1, 1, 1_000, 1_001, true));
        assertThat(found()).as("what it need not get").isEmpty();
    }

    @Test
    void a_gap_between_two_events_of_the_next_version_is_reordered() {
        committed(3);
        couriers(1, 2, 3);
        for (int number = 1; number <= 3; number++) {
            committed.put("id-" + number, new Event("id-" + number, "L1", number, "NONE", "deposited", 2, 0, 0));
        }
        calls.add(call("Auditor", "id-1", 1, 1, 900, 901, true));
        calls.add(call("Auditor", "id-3", 3, 1, 1_000, 1_001, true));
        calls.add(call("Auditor", "id-2", 2, 1, 1_100, 1_101, true));
        assertThat(found()).contains(Kind.REORDERED, Kind.OLDER_STATE);
    }
}
