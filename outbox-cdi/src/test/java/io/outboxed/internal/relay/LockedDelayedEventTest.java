package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A delayed event can't be parked: it is locked, because a transaction cancels it, or the disk is full. */
class LockedDelayedEventTest {
    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);

    @Test
    void it_is_parked_once_it_is_free_and_until_then_the_relay_polls_as_if_there_were_nothing() {
        MessageHead delayed = node.publishDelayed(7, Duration.ofHours(1));
        MemoryTransaction cancelling = node.store.begin();
        cancelling.claim(delayed);

        for (int i = 0; i < 600; i++) {
            node.pass(Duration.ofMillis(10));
        }

        assertThat(node.written).as("attempts to park it in six seconds").isBetween(1, 30);
        cancelling.rollback();
        node.pass(Duration.ofSeconds(2));
        assertThat(node.store.reads().lane(7, 1)).hasSize(1);
    }

    @Test
    void while_the_disk_is_full_it_is_tried_every_few_seconds_and_nothing_else_waits() {
        node.full = "write";
        MessageHead delayed = node.publishDelayed(7, Duration.ofSeconds(30));
        List<MessageHead> others = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            others.add(node.publish(7 + 64 * (i + 1L)));
        }

        List<Long> called = node.calledWithin(Duration.ofSeconds(10), Duration.ofMillis(10));
        assertThat(called)
                .containsExactlyInAnyOrderElementsOf(
                        others.stream().map(MessageHead::seq).toList());
        assertThat(node.refused).as("attempts in ten seconds").isBetween(2, 4);

        node.full = "";
        node.pass(Duration.ofSeconds(5));
        assertThat(node.store.reads().lane(7, 1)).hasSize(1);
        assertThat(node.calledWithin(Duration.ofSeconds(20), Duration.ofMillis(100)))
                .containsExactly(delayed.seq());
    }
}
