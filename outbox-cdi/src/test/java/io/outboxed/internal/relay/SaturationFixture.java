package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** A node with a handler whose calls hang, and two others. */
abstract class SaturationFixture {
    static final int SHARE = 64;
    static final String OTHER_TYPE = "shipped";
    static final String SHIP = "Shipper.ship";
    private static final OutboxConfig.Retry RETRY =
            new OutboxConfig.Retry(5, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false);

    final LoneRelay node = new LoneRelay(
                    RETRY,
                    Map.of(
                            new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(OTHER_TYPE, SHIP), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);

    /** @return this many calls of the first handler, each in an aggregate of its own */
    List<Call> hang(int count) {
        LongStream.range(1_000, 1_000 + count).forEach(node::publish);
        node.turns();
        List<Call> hung = node.called();
        assertThat(hung).hasSize(count).allMatch(call -> call.handler().equals(LoneRelay.AUDIT));
        return hung;
    }

    void becomesSaturated() {
        node.pass(Duration.ofSeconds(1));
        node.pass(Duration.ofSeconds(2));
    }

    List<Call> drain() {
        List<Call> ended = new ArrayList<>();
        for (Call call = node.calls.poll(); call != null; call = node.calls.poll()) {
            ended.add(call);
            node.succeeds(call);
        }
        return ended;
    }

    List<Long> called(String handler) {
        return node.called().stream()
                .filter(call -> call.handler().equals(handler))
                .map(call -> call.delivery().head().lane())
                .toList();
    }
}
