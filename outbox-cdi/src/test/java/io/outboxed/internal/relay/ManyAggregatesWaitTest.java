package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Thousands of aggregates wait for a handler that is down: the others must not feel that. */
@ExtendWith(SilentLog.class)
class ManyAggregatesWaitTest {
    private static final int MANY = 3_000;
    private static final String OTHER = "checked";
    private static final OutboxConfig.Retry RETRY =
            new OutboxConfig.Retry(50, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false);

    private final LoneRelay node = new LoneRelay(
                    OutboxConfig.DEFAULTS
                            .withHandler(
                                    new OutboxConfig.Handler(Duration.ofSeconds(30), 10, Duration.ofSeconds(5), 128))
                            .withRetry(RETRY),
                    Map.of(
                            new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(OTHER, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);
    private final List<Call> others = new ArrayList<>();
    private final Deque<Call> slow = new ArrayDeque<>();
    private boolean mailWorks;
    private boolean mailDefers;
    private int mails;

    @Test
    void the_relay_asks_for_a_hundred_of_them_a_second() {
        theMailServerDies();

        pass(Duration.ofSeconds(30));
        int before = node.statements.pagesOfWaiting;
        pass(Duration.ofSeconds(30));

        assertThat(node.statements.pagesOfWaiting - before).isBetween(MANY / 2, 3_100);
    }

    @Test
    void those_that_its_classifier_defers_are_called_a_hundred_times_a_second() {
        mailDefers = true;
        theMailServerDies();

        pass(Duration.ofSeconds(30));
        int before = mails;
        pass(Duration.ofSeconds(30));

        assertThat(mails - before).isBetween(MANY / 2, 3_100);
    }

    @Test
    void retries_of_other_handlers_come_at_their_time() {
        theMailServerDies();
        pass(Duration.ofSeconds(10));

        node.publish(MANY, OTHER);
        node.pass(Duration.ZERO);
        node.fails(only(LoneRelay.AUDIT));
        pass(RETRY.initialDelay().plusMillis(200));

        assertThat(only(LoneRelay.AUDIT)).isNotNull();
    }

    @Test
    void nor_do_retries_and_delayed_events_of_others_wait_while_a_slow_handler_catches_up() {
        PauseTarget mail = PauseTarget.handler(LoneRelay.MAIL);
        node.store.pause(mail);
        node.pass(Duration.ofSeconds(1));
        for (int lane = 0; lane < MANY; lane++) {
            node.publish(lane);
        }
        node.pass(Duration.ofSeconds(3));
        node.store.resume(mail);
        passSlowly(Duration.ofSeconds(2));

        node.publish(MANY, OTHER);
        node.publishDelayed(MANY + 1, OTHER, RETRY.initialDelay());
        passSlowly(Duration.ofMillis(100));
        node.fails(only(LoneRelay.AUDIT));
        passSlowly(RETRY.initialDelay().plusSeconds(1));

        assertThat(others).extracting(call -> call.delivery().head().lane()).contains((long) MANY, MANY + 1L);
    }

    @Test
    void once_the_server_is_back_all_are_delivered_within_a_minute() {
        theMailServerDies();
        pass(Duration.ofSeconds(60));
        mailWorks = true;

        pass(Duration.ofSeconds(60));

        assertThat(node.store.messages()).isZero();
    }

    @Test
    void what_is_due_at_the_same_time_is_read_in_parts() {
        LoneRelay retrying = new LoneRelay(RETRY).holdsAllShards(false);
        for (int lane = 0; lane < 1_000; lane++) {
            retrying.publish(lane);
        }
        for (int i = 0; i < 100; i++) {
            retrying.turns();
            retrying.called().forEach(retrying::fails);
        }
        for (int lane = 1_000; lane < 2_000; lane++) {
            retrying.publish(lane);
        }
        retrying.relay.iterate();
        retrying.later(Duration.ofSeconds(4));

        int before = retrying.statements.pagesOfWaiting;
        retrying.relay.iterate();

        assertThat(retrying.statements.pagesOfWaiting - before)
                .as("the new events must not wait for all of them")
                .isEqualTo(64);
    }

    private void theMailServerDies() {
        for (int lane = 0; lane < MANY; lane++) {
            node.publish(lane);
        }
        node.turns();
        pass(Duration.ofSeconds(2));
    }

    private void pass(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 50) {
            node.pass(Duration.ofMillis(50));
            endMails();
        }
    }

    /** Forty mails are sent per second. */
    private void passSlowly(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 50) {
            node.pass(Duration.ofMillis(50));
            for (Call call : node.called()) {
                (call.handler().equals(LoneRelay.MAIL) ? slow : others).add(call);
            }
            for (int i = 0; i < 2 && !slow.isEmpty(); i++) {
                node.succeeds(slow.poll());
            }
        }
    }

    private void endMails() {
        List<Call> kept = new ArrayList<>();
        for (Call call : node.called()) {
            if (!call.handler().equals(LoneRelay.MAIL)) {
                kept.add(call);
                continue;
            }
            mails++;
            if (mailWorks) {
                node.succeeds(call);
            } else if (mailDefers) {
                node.isDeferred(call);
            } else {
                node.fails(call);
            }
        }
        others.addAll(kept);
    }

    private Call only(String handler) {
        endMails();
        List<Call> calls =
                others.stream().filter(call -> call.handler().equals(handler)).toList();
        others.clear();
        assertThat(calls).hasSize(1);
        return calls.get(0);
    }
}
