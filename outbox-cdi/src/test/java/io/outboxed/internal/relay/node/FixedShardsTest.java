package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FixedShardsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final FixedShards fixed = new FixedShards(Set.of(0, 1), Duration.ofSeconds(10));

    @Test
    void shards_that_no_node_has_for_a_lease_are_reported_once_and_again_when_they_change() {
        try (CapturedLog log = new CapturedLog()) {
            fixed.reportUnassigned(Set.of(1, 5, 6), 0);
            fixed.reportUnassigned(Set.of(1, 5), 9 * SECOND);
            assertThat(log.lines).isEmpty();

            fixed.reportUnassigned(Set.of(1, 5, 6), 10 * SECOND);
            fixed.reportUnassigned(Set.of(1, 5, 6), 15 * SECOND);
            fixed.reportUnassigned(Set.of(5, 6), 20 * SECOND);
            assertThat(log.lines)
                    .as("6 had a node at 9 s")
                    .satisfiesExactly(
                            line -> assertThat(line).contains("OUTBOX-0408", "[5]"),
                            line -> assertThat(line).contains("OUTBOX-0408", "[5, 6]"));
        }
    }

    @Test
    void a_node_without_a_list_reports_nothing() {
        FixedShards any = new FixedShards(Set.of(), Duration.ofSeconds(10));
        try (CapturedLog log = new CapturedLog()) {
            any.reportUnassigned(Set.of(5), 0);
            any.reportUnassigned(Set.of(5), 60 * SECOND);
            assertThat(log.lines).isEmpty();
        }
        assertThat(any.mayHold(5)).isTrue();
    }

    @Test
    void a_shard_that_was_handed_over_by_mistake_is_reported_once() {
        try (CapturedLog log = new CapturedLog()) {
            fixed.returned(new Lease(5, "me", 3));
            fixed.returned(new Lease(6, "me", 3));
            assertThat(log.lines).singleElement().asString().contains("OUTBOX-0409 shard 5", "outbox.relay.shards");
        }
    }
}
