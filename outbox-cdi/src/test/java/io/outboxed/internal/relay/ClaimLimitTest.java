package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node has claimed as many lanes as it may, and more of them are due. */
@ExtendWith(SilentLog.class)
@Timeout(60)
class ClaimLimitTest {
    /** As in {@code LaneClaims}. */
    private static final int MOST_HELD = 500;

    private static final long BUSY = 10_000;
    private static final Duration LATER = Duration.ofMinutes(1);

    private final LoneRelay node = node();

    /** In its lane, one group has one new event after the other. The retries in the other lanes do not end. */
    @Test
    void what_waits_in_a_lane_that_the_node_has_is_called_although_any_number_of_others_are_due_earlier() {
        LongStream.rangeClosed(1, MOST_HELD + 200).forEach(node::publish);
        for (int i = 0; i < 100; i++) {
            turn().forEach(this::mailFails);
        }
        assertThat(node.store.messages()).isEqualTo(MOST_HELD + 200);
        node.pass(LATER.dividedBy(2));
        Call audit = busyLane();

        Set<Long> retried = new HashSet<>();
        while (retried.size() < MOST_HELD - 1) {
            turn().forEach(call -> retried.add(call.delivery().head().lane()));
        }
        node.pass(LATER);

        List<String> called = new ArrayList<>();
        node.succeeds(audit);
        for (int i = 0; i < 5; i++) {
            for (Call call : turn()) {
                assertThat(call.delivery().head().lane()).isEqualTo(BUSY);
                called.add(call.handler());
                node.succeeds(call);
            }
        }
        assertThat(called).contains(LoneRelay.MAIL, LoneRelay.AUDIT);
    }

    /** @return the call for its second event; the first one waits in the other group */
    private Call busyLane() {
        MessageHead first = node.publish(BUSY);
        LongStream.range(0, 7).forEach(i -> node.publish(BUSY));
        while (true) {
            for (Call call : turn()) {
                if (call.delivery().head().seq() > first.seq()) {
                    assertThat(call.handler()).isEqualTo(LoneRelay.AUDIT);
                    return call;
                }
                mailFails(call);
            }
        }
    }

    private List<Call> turn() {
        node.pass(Duration.ofMillis(60));
        return node.called();
    }

    private void mailFails(Call call) {
        if (call.handler().equals(LoneRelay.MAIL)) {
            node.fails(call);
        } else {
            node.succeeds(call);
        }
    }

    private static LoneRelay node() {
        Map<HandlerKey, HandlerMode> handlers = new LinkedHashMap<>();
        for (String name : List.of(LoneRelay.MAIL, LoneRelay.AUDIT)) {
            handlers.put(new HandlerKey(LoneRelay.TYPE, name), HandlerMode.TRANSACTIONAL);
        }
        OutboxConfig.Retry later = new OutboxConfig.Retry(5, LATER, 1, LATER, false);
        return LoneRelay.claimingLanes(2 * MOST_HELD, later, handlers).holdsAllShards(false);
    }
}
