package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a node that stops leaves to its successor. */
class CleanStopTest {
    private static final int LANE = 7;

    private final LoneRelay node = new LoneRelay(
                    new OutboxConfig.Retry(3, Duration.ofSeconds(3), 2, Duration.ofMinutes(10), false),
                    Map.of(
                            new HandlerKey("placed", "Mailer.mail"), HandlerMode.TRANSACTIONAL,
                            new HandlerKey("paid", "Mailer.mail"), HandlerMode.TRANSACTIONAL,
                            new HandlerKey("paid", "Audit.write"), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);

    @Test
    void a_retry_that_was_not_called_before_the_stop_keeps_its_attempt() {
        node.publish(LANE);
        node.turns();
        node.fails(node.calls.poll());
        node.pass(Duration.ofSeconds(4));
        assertThat(node.calls.load()).as("the retry is queued").isEqualTo(1);

        node.relay.stop();
        node.turns();

        assertThat(countedAttempts()).isEqualTo(1);
        assertThat(node.relay.isIdle()).isTrue();
        assertThat(node.relay.idleLeases()).hasSize(64);
    }

    private int countedAttempts() {
        return node.store.reads().waiting(LANE, "Mailer", 1).get(0).attempts();
    }
}
