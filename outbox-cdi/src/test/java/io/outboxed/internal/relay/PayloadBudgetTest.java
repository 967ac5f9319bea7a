package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.loop.TurnBodies;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A node has payloads of 64 MiB in memory, and those of one more call. */
class PayloadBudgetTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final int LANES = 200;
    private static final int BUDGET = 64;
    private static final int SECONDS = 300;

    private final LoneRelay node = new LoneRelay(
                    LANES,
                    OutboxConfig.Retry.DEFAULTS,
                    Map.of(new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL))
            .holdsAllShards(false);

    @Test
    void no_more_payloads_are_loaded_than_fit_into_the_budget_however_many_calls_could_run() {
        publish("x".repeat(MEBIBYTE));

        int delivered = 0;
        while (delivered < LANES) {
            List<Call> called = new ArrayList<>();
            for (int turn = 0; turn < 3; turn++) {
                node.pass(Duration.ofSeconds(1));
                called.addAll(node.called());
            }
            assertThat(mebibytes(called)).isBetween(1L, BUDGET + 1L);
            delivered += called.size();
            node.succeed(called);
        }
    }

    @Test
    void failures_whose_rows_are_locked_wait_without_their_payloads() {
        String large = "x".repeat(2 * MessageHead.BODY_READ_ALONG);
        publish(large);
        node.turns();
        List<Call> called = node.called();
        assertThat(called).hasSize(LANES);

        node.statements.held = "write";
        called.forEach(node::fails);

        assertThat(called)
                .extracting(TurnBodies::of)
                .doesNotContainNull()
                .allSatisfy(body -> assertThat(body.text()).isNull());

        node.statements.held = "";
        List<String> retried = new ArrayList<>();
        for (int second = 0; second < SECONDS && retried.size() < LANES; second++) {
            node.pass(Duration.ofSeconds(1));
            node.called().forEach(call -> retried.add(call.delivery().body().text()));
        }
        assertThat(retried).hasSize(LANES).containsOnly(large);
    }

    private void publish(String payload) {
        long version = node.store.handlers().snapshot().version();
        for (int lane = 0; lane < LANES; lane++) {
            node.store.insert(UUID.randomUUID(), LoneRelay.TYPE, lane, version, 0, payload);
        }
    }

    private static long mebibytes(List<Call> calls) {
        return calls.stream().mapToLong(call -> call.delivery().head().size()).sum() / MEBIBYTE;
    }
}
