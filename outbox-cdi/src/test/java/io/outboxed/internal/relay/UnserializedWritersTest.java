package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which events are reported as stored out of order, and which are not. Lanes 7 and 71 are in the same shard. */
class UnserializedWritersTest {
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private final LoneRelay node = new LoneRelay(
                    new OutboxConfig.Retry(2, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false))
            .holdsAllShards(false);

    @Test
    void two_writers_of_one_aggregate_whose_commits_are_out_of_order_are_reported() {
        MessageHead numberedFirst = node.begin(7);
        node.publish(7);
        node.turns();

        try (CapturedLog log = new CapturedLog()) {
            node.commit(numberedFirst);
            node.turns();

            assertThat(reported()).isEqualTo(1);
            assertThat(log.lines)
                    .singleElement()
                    .asString()
                    .startsWith("WARNING OUTBOX-0417")
                    .contains("@Outboxed(serialize = true)");
        }
    }

    @Test
    void each_event_is_reported_once_however_often_it_is_read() {
        MessageHead numberedFirst = node.begin(7);
        node.publish(7);
        node.turns();
        node.commit(numberedFirst);
        for (int i = 0; i < 5; i++) {
            node.pass(MOMENT);
        }

        assertThat(reported()).isEqualTo(1);
    }

    @Test
    void serialized_writers_are_not_reported_whatever_other_aggregates_do() {
        MessageHead ofAnother = node.begin(71);
        MessageHead first = node.begin(7);
        node.commit(first);
        node.turns();
        node.publish(7);
        node.publish(7);
        node.turns();
        node.commit(ofAnother);
        node.turns();

        assertNotReported();
    }

    @Test
    void a_retry_that_comes_after_later_events_is_not_reported() {
        node.publish(7);
        node.publish(7);
        node.turns();
        node.fails(node.calls.poll());
        node.publish(7);
        node.pass(MOMENT);

        assertNotReported();
    }

    @Test
    void an_unknown_outcome_and_a_deferral_are_not_reported() {
        node.publish(7);
        node.publish(7);
        node.turns();
        node.endsUnclear(node.calls.poll());
        node.pass(MOMENT);
        node.publish(7);
        node.isDeferred(node.calls.poll());
        node.pass(Duration.ofSeconds(10));

        assertNotReported();
    }

    /** The replay is numbered after the writer has numbered its event and before the writer commits. */
    @Test
    void an_event_that_commits_after_the_replay_of_a_dead_letter_is_not_reported() {
        UUID dead = node.publish(7).id();
        node.turns();
        node.fails(node.calls.poll());
        node.pass(MOMENT);
        node.fails(node.calls.poll());
        assertThat(node.store.isDead(LoneRelay.MAIL, dead)).isTrue();

        MessageHead numberedBefore = node.begin(7);
        assertThat(node.store.replay(dead, LoneRelay.MAIL)).isTrue();
        node.pass(MOMENT);
        Call replay = node.calls.poll();
        assertThat(replay.delivery().head().onlyHandler()).isEqualTo(LoneRelay.MAIL);
        node.commit(numberedBefore);
        node.turns();

        node.succeeds(replay);
        assertNotReported();
    }

    @Test
    void a_delayed_event_is_not_reported() {
        long version = node.store.handlers().snapshot().version();
        MessageHead delayed =
                node.store.insertUncommitted(UUID.randomUUID(), LoneRelay.TYPE, 71, version, 1_500_000, "fine");
        node.publish(7);
        node.turns();
        node.commit(delayed);
        node.pass(MOMENT);
        node.pass(MOMENT);

        assertNotReported();
    }

    @Test
    void messages_read_again_after_a_takeover_or_an_error_are_not_reported() {
        node.publish(7);
        node.publish(7);
        node.turns();
        List<Lease> leases = node.relay.leases();
        leases.forEach(node.relay::lost);
        node.holdsAllShards(true);
        node.pass(MOMENT);
        node.publish(7);
        node.relay.reset();
        node.pass(MOMENT);

        assertNotReported();
    }

    /** More than a page of a shard, and more of one aggregate than its lane takes. */
    @Test
    void a_backlog_that_was_committed_before_it_is_read_is_not_reported() {
        for (int i = 0; i < 400; i++) {
            node.publish(i % 3 == 0 ? 7 : 7 + 64L * i);
        }
        int left = 400;
        for (int i = 0; i < 1_000 && left > 0; i++) {
            node.pass(Duration.ofMillis(100));
            List<Call> called = node.called();
            called.forEach(node::succeeds);
            left -= called.size();
            if (i < 100) {
                node.publish(7);
                left++;
            }
        }

        assertThat(left).isZero();
        assertNotReported();
    }

    private void assertNotReported() {
        assertThat(reported()).isZero();
    }

    private long reported() {
        return node.metrics.count("outbox.messages.out.of.order{}");
    }
}
