package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The relay holds back an event that was published with a delay. */
class DelayedEventTest {
    private static final Duration MOMENT = Duration.ofMillis(60);

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);

    @Test
    void it_is_called_when_its_delay_has_passed_and_not_before() {
        long delayed = node.publishDelayed(7, Duration.ofMinutes(5)).seq();
        node.turns();
        assertThat(node.calls.poll()).as("at once").isNull();

        node.pass(Duration.ofMinutes(5).minus(MOMENT));
        assertThat(node.calls.poll()).as("a moment too early").isNull();

        node.pass(MOMENT.multipliedBy(2));
        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(delayed);
    }

    @Test
    void a_successor_that_takes_over_meanwhile_holds_it_back_too() {
        node.publishDelayed(7, Duration.ofMinutes(5));
        node.turns();
        node.relay.lostAll();
        node.holdsAllShards(true);

        node.pass(Duration.ofMinutes(5).minus(MOMENT));
        assertThat(node.calls.poll()).isNull();
        node.pass(MOMENT.multipliedBy(2));
        assertThat(node.calls.poll()).isNotNull();
    }
}
