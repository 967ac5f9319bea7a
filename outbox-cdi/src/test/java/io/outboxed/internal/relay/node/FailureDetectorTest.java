package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureDetectorTest {
    private static final NodeHeartbeat NODE = new NodeHeartbeat("other", "label", 1, 7);

    private final FailureDetector detector = new FailureDetector(Duration.ofSeconds(10));
    private double second;

    @Test
    void a_node_is_dead_once_its_heartbeat_has_not_changed_for_a_lease() {
        observe(NODE);
        for (int i = 0; i < 10; i++) {
            second++;
            observe(NODE);
        }
        assertThat(detector.isDead(NODE)).as("after exactly a lease").isFalse();

        second++;
        observe(NODE);
        assertThat(detector.isDead(NODE)).isTrue();
    }

    @Test
    void a_new_heartbeat_starts_the_lease_again() {
        observe(NODE);
        for (int i = 0; i < 9; i++) {
            second++;
            observe(NODE);
        }
        second++;
        observe(new NodeHeartbeat("other", "label", 1, 8));
        for (int i = 0; i < 9; i++) {
            second++;
            observe(new NodeHeartbeat("other", "label", 1, 8));
        }
        assertThat(detector.isDead(NODE)).isFalse();
    }

    @Test
    void a_time_without_answers_counts_for_a_third_of_a_lease_at_most() {
        observe(NODE);
        for (int outage = 0; outage < 3; outage++) {
            second += 3600;
            observe(NODE);
        }
        assertThat(detector.isDead(NODE)).isFalse();

        second += 3600;
        observe(NODE);
        assertThat(detector.isDead(NODE))
                .as("it did not send one between four of them")
                .isTrue();
    }

    @Test
    void a_heartbeat_is_as_old_as_the_answer_that_reported_it() {
        for (int i = 0; i < 20; i++) {
            observe(NODE, 3);
            second += 0.1;
        }
        assertThat(detector.isDead(NODE))
                .as("60 s of slow answers, 2 s between them")
                .isFalse();
    }

    @Test
    void a_node_is_beating_if_its_heartbeat_has_been_seen_to_change_lately() {
        observe(NODE);
        assertThat(detector.isBeating(NODE)).as("only seen to be there").isFalse();

        second++;
        observe(new NodeHeartbeat("other", "label", 1, 8));
        assertThat(detector.isBeating(NODE)).isTrue();

        for (int i = 0; i < 4; i++) {
            second++;
            observe(new NodeHeartbeat("other", "label", 1, 8));
        }
        assertThat(detector.isBeating(NODE)).as("unchanged for 4 s").isFalse();
    }

    private void observe(NodeHeartbeat node) {
        observe(node, 0);
    }

    private void observe(NodeHeartbeat node, double answerTakes) {
        long askedAt = (long) (second * 1e9);
        second += answerTakes;
        detector.observe(List.of(node), askedAt, (long) (second * 1e9));
    }
}
