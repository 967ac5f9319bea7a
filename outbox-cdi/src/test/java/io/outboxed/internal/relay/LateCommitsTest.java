package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An event becomes visible so late that no ordinary read begins below it any more. */
class LateCommitsTest {
    private static final OutboxConfig.Relay DEFAULTS = OutboxConfig.Relay.DEFAULTS;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** As long as a first row of any shard may wait to be read, with some statements in between. */
    private static final Duration FOUND_WITHIN = Duration.ofSeconds(40);

    @Test
    void it_is_found_within_half_a_minute_by_an_idle_relay() {
        assertThat(seen(new LoneRelay(OutboxConfig.Retry.DEFAULTS))).isTrue();
    }

    @Test
    void and_with_the_next_poll_if_it_polls_once_a_minute() {
        LoneRelay node = new LoneRelay(
                        limits(new OutboxConfig.Poll(Duration.ofMillis(20), MINUTE), DEFAULTS.commitLag()),
                        OutboxConfig.Retry.DEFAULTS)
                .holdsAllShards(false);
        committedLate(node);

        node.pass(MINUTE.plusSeconds(1));
        node.pass(Duration.ofMillis(10));

        assertThat(node.called()).hasSize(1);
    }

    /** The mark moves with the third of them at the earliest. */
    @Test
    void within_the_configured_time_it_is_not_late_and_read_at_once() {
        LoneRelay node = new LoneRelay(limits(DEFAULTS.poll(), MINUTE.multipliedBy(10)), OutboxConfig.Retry.DEFAULTS)
                .holdsAllShards(false);
        MessageHead slow = node.begin(7);
        for (int i = 0; i < 3; i++) {
            node.publish(7 + 64);
            node.pass(MINUTE.multipliedBy(3));
            node.called().forEach(node::succeeds);
        }
        try (CapturedLog log = new CapturedLog()) {
            node.commit(slow);
            node.turns();

            assertThat(node.called()).hasSize(1);
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0418"));
        }
    }

    private static OutboxConfig.Relay limits(OutboxConfig.Poll poll, Duration commitLag) {
        return new OutboxConfig.Relay(
                DEFAULTS.enabled(),
                DEFAULTS.workers(),
                DEFAULTS.ackBatch(),
                DEFAULTS.maxInMemory(),
                poll,
                commitLag,
                DEFAULTS.lease(),
                DEFAULTS.drain(),
                DEFAULTS.nodeLabel(),
                DEFAULTS.shards(),
                DEFAULTS.claim());
    }

    private static boolean seen(LoneRelay node) {
        committedLate(node.holdsAllShards(false));
        return node.calledWithin(FOUND_WITHIN, Duration.ofMillis(100)).size() == 1;
    }

    /** Without a signal, as by a node that has died. */
    private static void committedLate(LoneRelay node) {
        MessageHead late = node.begin(7);
        MessageHead next = node.publish(7 + 64);
        assertThat(next.shard()).isEqualTo(late.shard());
        for (Duration passed = Duration.ZERO; passed.compareTo(MINUTE.multipliedBy(10)) < 0; ) {
            node.pass(Duration.ofSeconds(10));
            node.called().forEach(node::succeeds);
            passed = passed.plusSeconds(10);
        }
        node.store.commit(late);
    }

    @Test
    void a_delayed_event_that_was_locked_for_so_long_accuses_no_writer() {
        LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);
        MessageHead delayed = node.publishDelayed(7, Duration.ofMinutes(5));
        MemoryTransaction cancelling = node.store.begin();
        cancelling.claim(delayed);
        node.publish(7 + 64);
        try (CapturedLog log = new CapturedLog()) {
            node.calledWithin(MINUTE.multipliedBy(10), Duration.ofSeconds(1));
            cancelling.rollback();

            assertThat(node.calledWithin(FOUND_WITHIN, Duration.ofMillis(100))).hasSize(1);
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0418"));
        }
    }
}
