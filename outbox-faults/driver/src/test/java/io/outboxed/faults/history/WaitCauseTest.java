package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run says which event waited longest, and what its aggregate did meanwhile. */
class WaitCauseTest extends SmallHistory {

    @Test
    void a_call_of_another_handler_that_never_returned_is_named_with_its_time_and_ends_with_its_node() {
        committed(2);
        calls.add(new Call("node-1", "Ledger", "id-1", "L1", 1, 1, micros(500), Call.NEVER, false));
        killed("node-1", 20_500, 30_000);
        calls.add(new Call("node-2", "Courier", "id-2", "L1", 2, 1, micros(25_000), micros(25_001), true));

        assertThat(cause(2))
                .contains("L1/2 for Courier (deposited, NONE, id-2), due at 0, first call 25.0 s later on node-2")
                .contains("1 earlier events of its aggregate were not called yet")
                .contains("\n    20.0 s: a call of its aggregate was running, the longest 20.0 s: L1/1 Ledger try 1"
                        + " on node-1 at 500000 never ended (id-1)\n")
                .contains("\n    5.0 s: none of these, the longest 4.5 s from 20500000: node-1 killed\n");
    }

    @Test
    void each_moment_of_the_wait_is_in_one_part() {
        committed(2);
        outages.add(Outages.DATABASE, Outages.KILLED, 0, micros(2_000));
        calls.add(call("Courier", "id-1", 1, 1, 3_000, 7_000, false));
        calls.add(call("Courier", "id-1", 1, 2, 10_000, 10_100, true));
        calls.add(call("Courier", "id-2", 2, 1, 16_100, 16_101, true));

        assertThat(cause(2))
                .contains("meanwhile its handler was called 2 times, and 1 did not succeed")
                .contains("\n    2.0 s: no node, or no database\n")
                .contains("\n    4.1 s: a call of its aggregate was running")
                .contains("\n    0.5 s: its handler waited for a backoff\n")
                .contains("\n    2.5 s: its handler was not called again yet, after a failure\n")
                .contains("\n    7.0 s: none of these, the longest 6.0 s from 10100000: nothing\n");
    }

    @Test
    void what_was_a_dead_letter_without_a_call_is_said_to_be_one_and_what_an_operator_did_is_named() {
        committed(1);
        replayed.add(new Letter("id-1", "Courier.deposited", "its node died each time it ran"));
        operations.add(new BulkOperation(BulkOperation.Kind.REPLAY, micros(5_000), Long.MAX_VALUE, 1));
        operations.add(new BulkOperation(BulkOperation.Kind.RETRY, micros(50_000), micros(60_000), 1));

        assertThat(cause(1))
                .contains("first call never, 30.0 s until the end")
                .contains("\n    it was a dead letter of this handler at some time: its node died each time it ran\n")
                .endsWith("\n    operator: bulk REPLAY");
    }

    @Test
    void reminders_belong_to_no_aggregate_and_wait_for_none() {
        committed.put("one", new Event("one", "", 0, "NONE", "reminder", 1, 0, micros(1_000)));
        committed.put("two", new Event("two", "", 0, "NONE", "reminder", 1, 0, micros(1_000)));
        calls.add(new Call("node-1", "Bell", "one", "-", 0, 1, micros(2_000), micros(9_000), true));
        calls.add(new Call("node-1", "Bell", "two", "-", 0, 1, micros(9_000), micros(9_001), true));

        assertThat(waitCause().of(committed.get("two"), "Bell", micros(30_000)))
                .contains("0 earlier events")
                .contains("8.0 s: none of these")
                .doesNotContain("running");
    }

    @Test
    void what_was_drained_last_is_the_last_first_call_before_nothing_waited() {
        committed(3);
        calls.add(call("Courier", "id-1", 1, 1, 1_000, 1_001, false));
        calls.add(call("Courier", "id-2", 2, 1, 2_000, 2_001, true));
        calls.add(call("Courier", "id-1", 1, 2, 3_000, 3_001, true));
        calls.add(call("Courier", "id-3", 3, 1, 9_000, 9_001, true));

        assertThat(waitCause().lastFirstCallBefore(micros(5_000))).hasValue(calls.get(1));
        assertThat(waitCause().lastFirstCallBefore(0)).isEmpty();
    }

    private String cause(int number) {
        return waitCause().of(committed.get("id-" + number), "Courier", micros(30_000));
    }

    private WaitCause waitCause() {
        return new WaitCause(facts(), calls, outages, replayed, List.of("node-1", "node-2"));
    }
}
