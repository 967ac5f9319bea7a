package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.broker.RealKafka;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The check is part of the start, which does not wait for Kafka. */
@Timeout(120)
class TransactionCheckTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    /** Longer than a test may take. */
    private static final String REQUEST = String.valueOf(Duration.ofMinutes(10).toMillis());

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
    }

    @Test
    void the_check_does_not_wait_for_the_request_of_a_broker_that_does_not_answer() {
        ExecutorService closing = Executors.newSingleThreadExecutor();
        TransactionCheck check = new TransactionCheck(
                ForwardingNode.settings(
                        KAFKA.address(),
                        "silent",
                        true,
                        Map.of(
                                "request.timeout.ms", REQUEST,
                                "delivery.timeout.ms", REQUEST,
                                "max.block.ms", REQUEST)),
                closing);
        KAFKA.freeze();
        assertThatThrownBy(check::problem)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TimeoutException.class);
        closing.shutdown();
    }

    @Test
    void a_check_ends_with_the_application() throws Exception {
        ExecutorService closing = Executors.newSingleThreadExecutor();
        TransactionCheck check =
                new TransactionCheck(ForwardingNode.settings(KAFKA.address(), "ending", true, Map.of()), closing);
        KAFKA.freeze();
        FutureTask<Object> asked = new FutureTask<>(() -> problem(check));
        Thread asking = new Thread(asked);
        asking.start();
        Patience.until(
                "the broker is asked",
                () -> Arrays.stream(asking.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("initTransactions")));
        check.close();
        assertThat(asked.get())
                .isInstanceOf(KafkaException.class)
                .as("it would have ended by itself")
                .isNotInstanceOf(TimeoutException.class);
        closing.shutdown();
    }

    @Test
    void without_a_thread_the_end_of_the_application_does_not_wait_for_a_producer_whose_thread_hangs()
            throws Exception {
        CountDownLatch itGoesOn = new CountDownLatch(1);
        CountDownLatch hangs = HangingReporter.hangUntil(itGoesOn);
        TransactionCheck check = new TransactionCheck(
                ForwardingNode.settings(
                        KAFKA.address(), "hung", true, Map.of("metric.reporters", HangingReporter.class.getName())),
                work -> {
                    throw new OutOfMemoryError("no thread, for a test");
                });
        try {
            CompletableFuture<?> asked = CompletableFuture.supplyAsync(() -> problem(check));
            hangs.await();
            assertThat(CompletableFuture.runAsync(check::close)).succeedsWithin(Duration.ofSeconds(20));
            itGoesOn.countDown();
            assertThat(asked).succeedsWithin(Duration.ofSeconds(20));
        } finally {
            itGoesOn.countDown();
        }
    }

    private static Object problem(TransactionCheck check) {
        try {
            return check.problem();
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
