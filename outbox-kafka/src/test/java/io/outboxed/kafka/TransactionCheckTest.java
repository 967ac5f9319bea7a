package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.broker.RealKafka;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The check is part of the start, which does not wait for Kafka. */
@Timeout(120)
class TransactionCheckTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final Duration REQUEST = Duration.ofSeconds(40);

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
                                "request.timeout.ms", String.valueOf(REQUEST.toMillis()),
                                "delivery.timeout.ms", String.valueOf(REQUEST.toMillis()))),
                closing);
        KAFKA.freeze();
        long begun = System.nanoTime();
        assertThatThrownBy(check::problem).isInstanceOf(ExecutionException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(REQUEST.dividedBy(2));
        closing.shutdown();
    }
}
