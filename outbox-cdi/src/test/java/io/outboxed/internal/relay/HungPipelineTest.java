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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A broker blocks the sends of all workers that a forwarder gets, with what each runs beside its own call. */
@ExtendWith(SilentLog.class)
class HungPipelineTest {
    private static final int SHARE = 4;
    private static final int BESIDE = 127;
    private static final String OTHER_TYPE = "shipped";
    private static final String FORWARD = "Broker.forward";
    private static final OutboxConfig.Retry RETRY =
            new OutboxConfig.Retry(5, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false);

    private final LoneRelay node = new LoneRelay(
                    SHARE,
                    RETRY,
                    Map.of(
                            new HandlerKey(LoneRelay.TYPE, FORWARD), HandlerMode.OUTSIDE,
                            new HandlerKey(OTHER_TYPE, "Shipper.ship"), HandlerMode.TRANSACTIONAL))
            .holdsAllShards(false);

    @Test
    void an_event_of_another_type_is_called() {
        LongStream.range(1_000, 1_600).forEach(node::publish);
        node.turns();
        assertThat(hang()).hasSize(SHARE * (1 + BESIDE));
        node.pass(Duration.ofSeconds(1));
        node.pass(Duration.ofSeconds(2));

        node.publish(1, OTHER_TYPE);
        node.turns();

        assertThat(node.called())
                .extracting(call -> call.delivery().head().type())
                .containsExactly(OTHER_TYPE);
    }

    /** What each worker takes, and what it runs beside that. */
    private List<Call> hang() {
        List<Call> hung = new ArrayList<>();
        for (Call first = node.calls.poll(); first != null; first = node.calls.poll()) {
            hung.addAll(node.calls.takeTogether(first, 1 + BESIDE, Long.MAX_VALUE));
        }
        return hung;
    }
}
