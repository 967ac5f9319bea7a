package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Handler;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.config.OutboxConfig.Retry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Five handlers of one type: one works, one fails, one is slow, one hangs, and one comes with a rolling deployment, so
 * that for a time it is unknown on a node. Real threads and two nodes.
 */
@ExtendWith(SilentLog.class)
class FiveHandlersTest {
    private static final Outcome DONE = new Outcome.Done(false);
    private static final int AGGREGATES = 12;
    private static final int OF_EACH = 3;
    private static final int TRIES = 3;
    private static final long SLOW_NANOS = 10_000_000;
    /** The aggregate with the event whose call hangs. */
    private static final int HUNG = 5;

    private static final OutboxConfig CONFIG = OutboxConfig.DEFAULTS
            .withRelay(Relay.DEFAULTS.withWorkers(6).withLease(Duration.ofDays(1)))
            .withHandler(new Handler(Duration.ZERO, 0, Duration.ofMillis(200), 128))
            .withRetry(new Retry(TRIES, Duration.ofMillis(1), 1, Duration.ofMillis(1), false));

    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch hangs = new CountDownLatch(1);
    /** The numbers of the events, in the order of their calls, by handler and aggregate. */
    private final Map<String, List<Long>> calls = new ConcurrentHashMap<>();

    private List<Long> calls(String handler, int aggregate) {
        return calls.computeIfAbsent(handler + " " + aggregate, any -> new CopyOnWriteArrayList<>());
    }

    private void called(Delivery delivery) {
        calls(delivery.handler(), (int) delivery.head().lane())
                .add(delivery.head().seq());
    }

    private Map<String, Function<Delivery, Outcome>> before() {
        return Map.of(
                "works",
                        delivery -> {
                            called(delivery);
                            return DONE;
                        },
                "fails",
                        delivery -> {
                            called(delivery);
                            return new Outcome.Failed(new IllegalStateException("always"));
                        },
                "slow",
                        delivery -> {
                            called(delivery);
                            LockSupport.parkNanos(SLOW_NANOS);
                            return DONE;
                        },
                "hangs", this::hang);
    }

    private Outcome hang(Delivery delivery) {
        called(delivery);
        if (delivery.head().lane() == HUNG) {
            hangs.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                return new Outcome.Failed(e);
            }
        }
        return DONE;
    }

    private Map<String, Function<Delivery, Outcome>> after() {
        Map<String, Function<Delivery, Outcome>> handlers = new HashMap<>(before());
        handlers.put("added", delivery -> {
            called(delivery);
            return DONE;
        });
        return handlers;
    }

    @Test
    void none_repeats_or_holds_up_another_also_while_the_application_is_replaced() throws SQLException {
        try (LiveDatabase database = new LiveDatabase();
                LiveNode old = new LiveNode(database, CONFIG, before())) {
            publish(old);
            old.until("the hung call has begun", () -> hangs.getCount() == 0);
            try (LiveNode next = new LiveNode(database, CONFIG, after())) {
                publish(next);
                next.until("what does not wait for the hung call is done", () -> {
                    old.node.supervise();
                    next.node.supervise();
                    return othersAreDone();
                });
                assertThat(calls("hangs", HUNG)).as("its aggregate waits").hasSize(1);

                released.countDown();
                old.node.stop();
                next.until("all are delivered by its successor", () -> {
                    next.node.supervise();
                    return database.isEmpty();
                });
            }
            assertThat(database.deadLetters("fails")).isEqualTo(AGGREGATES * OF_EACH * 2);
        }
        for (int aggregate = 0; aggregate < AGGREGATES; aggregate++) {
            assertThat(calls("works", aggregate))
                    .hasSize(2 * OF_EACH)
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(calls("slow", aggregate)).hasSize(2 * OF_EACH).isSorted().doesNotHaveDuplicates();
            assertThat(calls("hangs", aggregate))
                    .hasSize(2 * OF_EACH)
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(calls("fails", aggregate)).hasSize(2 * OF_EACH * TRIES).isSorted();
            assertThat(calls("added", aggregate))
                    .as("it gets at least what was published after its deployment")
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .containsAll(calls("works", aggregate).subList(OF_EACH, 2 * OF_EACH));
        }
    }

    private static void publish(LiveNode node) throws SQLException {
        for (int event = 0; event < OF_EACH; event++) {
            for (int aggregate = 0; aggregate < AGGREGATES; aggregate++) {
                node.publishHere(aggregate);
            }
        }
    }

    private boolean othersAreDone() {
        Map<String, Long> done = calls.entrySet().stream()
                .filter(each -> !each.getKey().endsWith(" " + HUNG))
                .collect(Collectors.groupingBy(
                        each -> each.getKey().split(" ")[0],
                        Collectors.summingLong(each -> each.getValue().size())));
        long each = (AGGREGATES - 1) * OF_EACH;
        return done.getOrDefault("works", 0L) == 2 * each
                && done.getOrDefault("slow", 0L) == 2 * each
                && done.getOrDefault("hangs", 0L) == 2 * each
                && done.getOrDefault("fails", 0L) == 2 * each * TRIES
                && done.getOrDefault("added", 0L) >= each;
    }
}
