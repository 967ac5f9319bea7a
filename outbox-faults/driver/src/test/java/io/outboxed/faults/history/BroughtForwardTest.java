package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import org.junit.jupiter.api.Test;

/** An attempt before its time is explained by a bulk retry that may have made it due, and by no other one. */
class BroughtForwardTest extends SmallHistory {

    @Test
    void a_second_try_before_its_backoff_is_explained_by_a_bulk_retry_after_the_first_one() {
        failedAndTriedAgainEarly();
        assertThat(found()).containsExactly(Kind.EARLY);
        retry(20_100, 20_200, 1);
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
    }

    @Test
    void a_try_that_was_put_off_and_not_counted_is_brought_forward_too() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 1, 20_300, 20_301, true));
        assertThat(found()).containsExactly(Kind.AGAIN_AT_ONCE);
        retry(20_100, 20_200, 1);
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
    }

    @Test
    void a_retry_that_has_begun_before_the_failure_and_has_not_ended_explains_it() {
        failedAndTriedAgainEarly();
        retry(10_000, 20_002, 1);
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
        operations.clear();
        operations.add(new BulkOperation(BulkOperation.Kind.RETRY, micros(10_000), Long.MAX_VALUE, 1));
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
    }

    @Test
    void a_retry_that_ended_before_the_failure_or_began_after_the_try_explains_nothing() {
        failedAndTriedAgainEarly();
        retry(10_000, 20_000, 1);
        retry(20_301, 20_400, 1);
        assertThat(found()).containsExactly(Kind.EARLY);
    }

    @Test
    void an_event_that_was_stored_after_the_retry_had_begun_is_not_brought_forward() {
        failedAndTriedAgainEarly();
        retry(19_000, 20_400, 1);
        committed.put("id-1", new Event("id-1", "L1", 1, "NONE", micros(18_900), micros(18_900)));
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
        committed.put("id-1", new Event("id-1", "L1", 1, "NONE", micros(19_500), micros(19_500)));
        assertThat(found()).containsExactly(Kind.EARLY);
    }

    @Test
    void a_retry_that_changed_nothing_and_a_replay_explain_nothing() {
        failedAndTriedAgainEarly();
        retry(20_100, 20_200, 0);
        operations.add(new BulkOperation(BulkOperation.Kind.REPLAY, micros(20_100), micros(20_200), 1));
        assertThat(found()).containsExactly(Kind.EARLY);
    }

    @Test
    void each_retry_brings_a_delivery_forward_once() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 2, 20_100, 20_101, false));
        calls.add(call("Courier", "id-1", 1, 3, 20_200, 20_201, true));
        retry(20_050, 20_250, 2);
        assertThat(found()).containsExactlyInAnyOrder(Kind.BROUGHT_FORWARD, Kind.EARLY);
        operations.clear();
        retry(20_050, 20_080, 1);
        retry(20_150, 20_180, 1);
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
    }

    @Test
    void a_retry_explains_no_more_tries_than_it_has_counted() {
        committed(2);
        calls.add(call("Courier", "id-1", 1, 1, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 2, 20_100, 20_101, true));
        calls.add(call("Courier", "id-2", 2, 1, 20_200, 20_201, false));
        calls.add(call("Courier", "id-2", 2, 2, 20_300, 20_301, true));
        retry(20_050, 20_400, 1);
        assertThat(found()).containsExactlyInAnyOrder(Kind.BROUGHT_FORWARD, Kind.EARLY);
        operations.clear();
        retry(20_050, 20_400, 2);
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
    }

    @Test
    void a_dead_letter_that_was_replayed_meanwhile_is_another_delivery() {
        committed(1);
        committed.put("id-1", new Event("id-1", "L1", 1, "POISON", 0, 0));
        replayed.add(new Letter("id-1", "Courier.deposited", "poison"));
        calls.add(call("Courier", "id-1", 1, 3, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 4, 20_100, 20_101, false));
        calls.add(call("Courier", "id-1", 1, 1, 20_200, 20_201, false));
        calls.add(call("Courier", "id-1", 1, 2, 20_300, 20_301, true));
        retry(20_050, 20_400, 2);
        assertThat(found()).containsExactly(Kind.BROUGHT_FORWARD);
    }

    @Test
    void a_delayed_event_is_not_brought_forward() {
        committed(1);
        couriers(1);
        seen = 1;
        committed.put("bell", new Event("bell", "", 0, "NONE", "reminder", 1, 0, micros(30_000)));
        calls.add(new Call("node-1", "Bell", "bell", "-", 0, 1, micros(20_000), micros(20_001), true));
        retry(10_000, 20_400, 1);
        assertThat(found()).containsExactly(Kind.EARLY);
    }

    private void failedAndTriedAgainEarly() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 20_000, 20_001, false));
        calls.add(call("Courier", "id-1", 1, 2, 20_300, 20_301, true));
    }

    private void retry(long startedAt, long endedAt, long changed) {
        operations.add(new BulkOperation(BulkOperation.Kind.RETRY, micros(startedAt), micros(endedAt), changed));
    }
}
