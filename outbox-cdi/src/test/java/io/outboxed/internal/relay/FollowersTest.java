package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which events of an aggregate a handler of batches gets together. */
class FollowersTest {
    private static final String LISTED = "listed";
    private static final String SHARED = "shared";
    private static final String SINGLE = "single";
    private static final Map<HandlerKey, HandlerMode> HANDLERS = Map.of(
            new HandlerKey(LISTED, "Stock.batch"), HandlerMode.BATCHED,
            new HandlerKey(SHARED, "Stock.batch"), HandlerMode.BATCHED,
            new HandlerKey(SHARED, "Mailer.mail"), HandlerMode.TRANSACTIONAL,
            new HandlerKey(SINGLE, "Shop.ship"), HandlerMode.TRANSACTIONAL);

    private LoneRelay node = node(OutboxConfig.Handler.DEFAULTS.batchSize());

    private static LoneRelay node(int batchSize) {
        OutboxConfig config = OutboxConfig.DEFAULTS
                .withHandler(new OutboxConfig.Handler(Duration.ofSeconds(30), 2, Duration.ofSeconds(5), batchSize))
                .withRetry(new OutboxConfig.Retry(4, Duration.ofSeconds(1), 2, Duration.ofSeconds(9), false));
        return new LoneRelay(config, HANDLERS, List.of());
    }

    private void publish(String type, int count) {
        for (int i = 0; i < count; i++) {
            node.publish(7, type);
        }
    }

    /** The numbers of the events that are called together, from the first call on. */
    private List<Long> together() {
        List<Long> together = new ArrayList<>();
        for (Call call = node.calls.poll(); call != null; call = call.next()) {
            together.add(call.delivery().head().seq());
        }
        return together;
    }

    @Test
    void the_waiting_events_of_an_aggregate_come_together() {
        publish(LISTED, 5);
        node.holdsAllShards(false).turns();

        assertThat(together()).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(node.calls.poll()).isNull();
    }

    @Test
    void no_more_of_them_than_is_configured() {
        node = node(3);
        publish(LISTED, 5);
        node.holdsAllShards(false).turns();
        assertThat(together()).hasSize(3);

        node = node(1);
        publish(LISTED, 5);
        node.holdsAllShards(false).turns();
        assertThat(together()).hasSize(1);
    }

    @Test
    void an_event_of_another_type_ends_them() {
        publish(LISTED, 2);
        publish(SINGLE, 1);
        publish(LISTED, 2);
        node.holdsAllShards(false).turns();

        assertThat(together()).containsExactly(1L, 2L);
    }

    @Test
    void an_ordinary_transactional_event_and_one_with_another_handler_come_alone() {
        publish(SINGLE, 3);
        node.holdsAllShards(false).turns();
        assertThat(together()).containsExactly(1L);

        node = node(128);
        publish(SHARED, 3);
        node.holdsAllShards(false).turns();
        assertThat(together()).containsExactly(1L);
    }

    @Test
    void an_event_that_a_handler_has_done_comes_alone() {
        publish(LISTED, 1);
        var done = node.publish(7, LISTED);
        publish(LISTED, 1);
        node.store.acks().acknowledge(List.of(new Ack(done, "Stock.gone", AckMode.ADD_DONE_ROW)));
        node.holdsAllShards(false).turns();

        assertThat(together()).containsExactly(1L);
    }

    @Test
    void a_suspect_comes_alone() {
        publish(LISTED, 3);
        node.holdsAllShards(true).turns();

        Call first = node.calls.poll();
        assertThat(first.next()).isNull();
        node.succeeds(first);
        assertThat(together()).containsExactly(2L);
    }

    @Test
    void a_retried_event_comes_alone_and_so_do_those_behind_it() {
        publish(LISTED, 1);
        node.holdsAllShards(false).turns();
        Call failing = node.calls.poll();
        publish(LISTED, 3);
        node.fails(failing);
        node.pass(Duration.ofSeconds(10));

        for (long seq = 1; seq <= 4; seq++) {
            Call call = node.calls.poll();
            assertThat(call.delivery().head().seq()).isEqualTo(seq);
            assertThat(call.next()).isNull();
            node.succeeds(call);
            node.pass(Duration.ofSeconds(1));
        }
        assertThat(node.store.messages()).isZero();
    }

    @Test
    void what_is_paused_between_the_read_and_the_call_is_called_after_the_resume() {
        publish(LISTED, 3);
        node.holdsAllShards(false).turns();
        node.store.pause(PauseTarget.handler("Stock.batch"));
        node.pass(Duration.ofSeconds(2));
        assertThat(node.calls.poll()).as("taken back").isNull();

        node.store.resume(PauseTarget.handler("Stock.batch"));
        for (int i = 0; i < 3; i++) {
            node.pass(Duration.ofSeconds(2));
            node.succeeds(node.calls.poll());
        }
        assertThat(node.store.messages()).isZero();
    }

    @Test
    void a_handler_of_single_events_is_not_affected_by_a_stop_of_a_batch() {
        publish(LISTED, 4);
        node.holdsAllShards(false).turns();

        node.relay.stop();

        assertThat(node.relay.isIdle()).isTrue();
        assertThat(node.calls.load()).isZero();
    }
}
