package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Findings.Kind;
import org.junit.jupiter.api.Test;

/** Which calls may overlap, and until when. */
class OverlapsTest extends SmallHistory {

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

    /** Its last heartbeat came before its answers were lost, and it was frozen before the next one. */
    @Test
    void a_call_that_began_late_in_its_lease_may_overlap_its_repetition() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 16_200, 60_000, true));
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(20_500), micros(20_600), true));
        outages.add("node-1", "without answers", micros(10_000), micros(15_500));
        assertThat(found()).as("it had half a second for a heartbeat").contains(Kind.OVERLAPPED);
        outages.add("node-1", Outages.FROZEN, micros(16_100), micros(31_000));
        assertThat(found()).contains(Kind.OVERLAPPED_STALLED).doesNotContain(Kind.OVERLAPPED);
    }

    @Test
    void a_call_that_began_after_its_lease_may_not() {
        committed(1);
        calls.add(call("Courier", "id-1", 1, 1, 30_000, 60_000, true));
        calls.add(new Call("node-2", "Courier", "id-1", "L1", 1, 1, micros(31_000), micros(31_100), true));
        outages.add("node-1", "half open", micros(10_000), micros(40_000));
        assertThat(found()).contains(Kind.OVERLAPPED);
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
}
