package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two handler groups wait for the same messages. */
@ExtendWith(SilentLog.class)
class WaitingGroupsTest {
    private static final long LANE = 7;
    private static final Duration LATER = Duration.ofSeconds(10);

    private final LoneRelay node = relay();

    @Test
    void while_one_of_them_has_the_message_the_page_of_the_other_is_not_queried_again_and_again() {
        failInBoth(1);
        node.pass(LATER);
        Call running = node.calls.poll();
        int before = node.pagesOfWaiting;

        for (int i = 0; i < 100; i++) {
            node.pass(Duration.ofMillis(60));
        }

        assertThat(node.pagesOfWaiting).isEqualTo(before);
        assertThat(node.calls.poll()).as("one call of a lane at a time").isNull();
        node.succeeds(running);
        node.pass(Duration.ofMillis(60));
        assertThat(node.calls.poll().handler()).isNotEqualTo(running.handler());
    }

    @Test
    void neither_starves_behind_a_long_backlog_of_the_other() {
        failInBoth(100);
        node.pass(LATER);

        List<String> called = new ArrayList<>();
        for (int i = 0; i < 1_000 && node.store.messages() > 0; i++) {
            Call call = node.calls.poll();
            if (call != null) {
                called.add(call.handler());
                node.succeeds(call);
            }
            node.pass(Duration.ofMillis(20));
        }

        assertThat(called).hasSize(200);
        assertThat(called.subList(0, 60)).contains(LoneRelay.MAIL, LoneRelay.AUDIT);
    }

    /** The first event fails in both groups, so the others wait behind it. */
    private void failInBoth(int events) {
        for (int i = 0; i < events; i++) {
            node.publish(LANE);
        }
        int failed = 0;
        for (int i = 0; i < 1_000 && failed < 2; i++) {
            node.pass(Duration.ofMillis(20));
            Call call = node.calls.poll();
            if (call != null) {
                node.fails(call);
                failed++;
            }
        }
        for (int i = 0; i < 20; i++) {
            node.pass(Duration.ofMillis(20));
        }
        assertThat(node.calls.load()).isZero();
    }

    private static LoneRelay relay() {
        Map<HandlerKey, HandlerMode> handlers = new LinkedHashMap<>();
        handlers.put(new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL);
        handlers.put(new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL);
        OutboxConfig.Retry later = new OutboxConfig.Retry(5, LATER.dividedBy(2), 1, LATER.dividedBy(2), false);
        return new LoneRelay(later, handlers, List.of()).holdsAllShards(false);
    }
}
