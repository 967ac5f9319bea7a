package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
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

    @Test
    void a_retry_whose_count_is_stored_only_after_the_stop_keeps_its_attempt() {
        node.publish(LANE);
        node.turns();
        node.fails(node.calls.poll());
        node.statements.cut = "write";
        node.later(Duration.ofSeconds(4));
        node.relay.iterate();

        node.relay.stop();
        node.turns();

        assertThat(node.called()).isEmpty();
        assertThat(countedAttempts()).isEqualTo(1);
        assertThat(node.relay.isIdle()).isTrue();
        assertThat(node.relay.idleLeases()).hasSize(64);
    }

    @Test
    void a_shard_is_released_when_its_running_call_ends_although_another_handler_would_follow() {
        node.publish(LANE, "paid");
        node.turns();
        Call first = node.calls.poll();

        node.relay.stop();
        node.turns();
        assertThat(node.relay.busyShards()).isEqualTo(1);
        node.succeeds(first);

        assertThat(node.relay.isIdle()).isTrue();
        assertThat(node.relay.idleLeases()).anyMatch(lease -> lease.shard() == LANE);
        assertThat(node.store.messages())
                .as("the second handler is left to the successor")
                .isEqualTo(1);
    }

    private int countedAttempts() {
        return node.store.reads().waiting(LANE, "Mailer", 1).get(0).attempts();
    }
}
