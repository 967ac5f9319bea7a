package io.outboxed.internal.relay;

import static io.outboxed.internal.relay.LoneRelay.MAIL;
import static io.outboxed.internal.relay.LoneRelay.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The receiver of a forwarder is down: what becomes of the other handlers? */
class ForwarderOutageTest {
    private static final String FORWARD = "forward";
    private static final String OTHER_TYPE = "cancelled";
    private static final int MAX_IN_MEMORY = 32;

    private final LoneRelay node = new LoneRelay(
            OutboxConfig.DEFAULTS.withRelay(HungCallsTest.limits(MAX_IN_MEMORY)),
            Map.of(
                    new HandlerKey(TYPE, MAIL), HandlerMode.TRANSACTIONAL,
                    new HandlerKey(TYPE, FORWARD), HandlerMode.OUTSIDE,
                    new HandlerKey(OTHER_TYPE, FORWARD), HandlerMode.OUTSIDE),
            List.of());

    @Test
    void events_that_a_forwarder_defers_take_no_memory_from_other_handlers() {
        node.handlers.pipelined.add(FORWARD);
        node.holdsAllShards(false);
        LongStream.range(0, 4 * MAX_IN_MEMORY).forEach(node::publish);
        node.turns();

        int mailed = 0;
        for (int second = 0; second < 30; second++) {
            boolean begun = false;
            for (Call call : node.called()) {
                if (call.handler().equals(MAIL)) {
                    node.succeeds(call);
                    mailed++;
                } else if (!begun) {
                    node.isDeferred(call);
                    begun = true;
                } else {
                    node.isNotBegun(call);
                }
            }
            node.pass(Duration.ofSeconds(1));
        }

        assertThat(mailed).isEqualTo(4 * MAX_IN_MEMORY);
    }

    @Test
    void events_of_another_type_may_go_to_a_topic_that_is_there() {
        node.handlers.pipelined.add(FORWARD);
        node.holdsAllShards(false);
        LongStream.range(0, 20).forEach(node::publish);
        node.turns();
        for (int i = 0; i < 5; i++) {
            node.called().forEach(call -> {
                if (call.handler().equals(MAIL)) {
                    node.succeeds(call);
                } else {
                    node.isDeferred(call);
                }
            });
            node.turns();
        }

        node.publish(70, OTHER_TYPE);
        node.turns();

        assertThat(node.called())
                .extracting(call -> call.delivery().head().type())
                .contains(OTHER_TYPE);
    }
}
