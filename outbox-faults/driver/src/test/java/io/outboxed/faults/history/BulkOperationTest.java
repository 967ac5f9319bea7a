package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest;
import io.outboxed.faults.history.BulkOperation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class BulkOperationTest {
    private static final List<String> NODES = List.of("node-1", "node-2");

    private final Outages outages = new Outages();
    private final BulkOperation replay = new BulkOperation(Kind.REPLAY, 1_000, 2_000, 7);

    @Test
    void it_was_interrupted_if_a_node_or_the_database_was_down_meanwhile() {
        assertThat(replay.wasInterrupted(outages, NODES)).isFalse();

        outages.add("node-2", "killed", 1_900, 5_000);
        assertThat(replay.wasInterrupted(outages, NODES)).isTrue();
        assertThat(replay.wasInterrupted(outages, List.of("node-1"))).isFalse();

        outages.add(Outages.DATABASE, "killed", 500, 1_100);
        assertThat(replay.wasInterrupted(outages, List.of("node-1"))).isTrue();
    }

    @Test
    void an_outage_before_or_after_it_does_not_count() {
        outages.add("node-1", "killed", 100, 1_000);
        outages.add("node-2", "killed", 2_000, 3_000);
        assertThat(replay.wasInterrupted(outages, NODES)).isFalse();
    }

    @Test
    void one_without_an_end_is_unfinished() {
        assertThat(replay.isUnfinished()).isFalse();
        assertThat(new BulkOperation(Kind.RETRY, 1_000, Long.MAX_VALUE, 0).isUnfinished())
                .isTrue();
    }

    @Test
    void its_kind_is_known_by_the_number_that_the_library_stores() {
        assertThat(Kind.values()).hasSameSizeAs(BulkRequest.Kind.values());
        for (Kind kind : Kind.values()) {
            assertThat(BulkRequest.Kind.values()[kind.ordinal()]).hasToString(kind.name());
        }
    }

    @Test
    void replays_and_retries_are_told_apart() {
        BulkOperation retry = new BulkOperation(Kind.RETRY, 3_000, 4_000, 1);
        assertThat(Kind.REPLAY.of(List.of(replay, retry))).containsExactly(replay);
        assertThat(Kind.RETRY.of(List.of(replay, retry))).containsExactly(retry);
    }
}
