package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A delayed event is locked, because a transaction cancels it, before the relay has parked it. */
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
}
