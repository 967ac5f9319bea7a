package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Findings.Kind;
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
    void what_a_bulk_operation_has_discarded_is_not_lost_but_nothing_beyond_its_count() {
        committed(3);
        couriers(1);
        for (int number = 2; number <= 3; number++) {
            committed.put("id-" + number, new Event("id-" + number, "L1", number, "POISON", 0, 0));
            discardable.add("Courier id-" + number);
        }
        assertThat(found()).as("none was discarded").containsExactly(Kind.LOST);
        operations.add(new BulkOperation(BulkOperation.Kind.DISCARD, 1, 2, 1));
        assertThat(found()).as("one was").containsExactlyInAnyOrder(Kind.DISCARDED, Kind.LOST);
        operations.add(new BulkOperation(BulkOperation.Kind.DISCARD, 3, 4, 1));
        assertThat(found()).containsExactly(Kind.DISCARDED);
        discardable.remove("Courier id-3");
        assertThat(found()).as("it was not to be discarded").containsExactlyInAnyOrder(Kind.DISCARDED, Kind.LOST);
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
    void an_outside_handler_has_its_effect_at_most_once_and_of_no_event_that_was_rolled_back() {
        committed(2);
        couriers(1, 2);
        receipts.putAll(Map.of("id-1", 1L, "id-2", 2L));
        assertThat(found()).containsExactly(Kind.RECEIPT_DOUBLED);

        receipts.put("id-2", 1L);
        receipts.put("rolled-back", 1L);
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
    void a_receiver_that_saw_the_second_to_last_event_at_the_end_has_an_older_state() {
        committed(2);
        couriers(1, 2, 1);
        assertThat(found()).contains(Kind.OLDER_STATE);
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
