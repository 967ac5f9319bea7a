package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.log.SneakyThrow;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureClassifier;
import io.outboxed.spi.FailureHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An application's own classifier, from the exception of its handler to what the relay stores. */
@ExtendWith(SilentLog.class)
class OwnClassifierTest {
    private static final OutboxConfig THREE_ATTEMPTS = OutboxConfig.DEFAULTS
            .withRetry(new OutboxConfig.Retry(3, Duration.ofMillis(1), 2, Duration.ofMillis(10), false))
            .withHandler(new OutboxConfig.Handler(Duration.ofSeconds(30), 0, Duration.ofMillis(20), 128));

    private final Deployment deployment =
            Deployment.of(Classifier.class, Mailer.class, Attempts.class, FailedAttempts.class);
    private final RunningRelay relay = new RunningRelay(deployment, THREE_ATTEMPTS);

    @AfterEach
    void stop() {
        relay.close();
        deployment.close();
    }

    @EventType("order.placed")
    record Placed(String what) {}

    @EventType("order.shipped")
    record Shipped(String what) {}

    @EventType("order.returned")
    record Returned(String what) {}

    private static final class BrokerIsDownException extends DeferredDeliveryException {
        private static final long serialVersionUID = 1L;

        BrokerIsDownException() {
            super("OUTBOX-0803", "the broker is down");
        }
    }

    /** The one of docs/publishing-and-handling.md, and what may go wrong with one. */
    @ApplicationScoped
    static class Classifier implements FailureClassifier {
        @Override
        public Verdict classify(OutboxMessage message, String handler, Throwable failure, Verdict builtIn) {
            if (failure instanceof IllegalCallerException) {
                throw new IllegalStateException("a bug of the classifier");
            }
            if (failure instanceof UnsupportedOperationException) {
                throw SneakyThrow.of(new IOException("a bug of the classifier"));
            }
            if (failure instanceof ArithmeticException) {
                return null;
            }
            if (failure instanceof DeferredDeliveryException) {
                return Verdict.RETRY;
            }
            return failure instanceof ConnectException ? Verdict.DEFER : builtIn;
        }
    }

    /** The numbers of the attempts that reached a handler. */
    @ApplicationScoped
    static class Attempts {
        private final List<Integer> all = new CopyOnWriteArrayList<>();

        int add(OutboxMessage message) {
            all.add(message.attempt());
            return all.size();
        }

        List<Integer> all() {
            return all;
        }
    }

    @ApplicationScoped
    static class FailedAttempts implements FailureHandler {
        private final List<FailedAttempt> all = new CopyOnWriteArrayList<>();

        @Override
        public void failed(FailedAttempt attempt) {
            all.add(attempt);
        }

        List<FailedAttempt> all() {
            return all;
        }
    }

    @ApplicationScoped
    @Transactional(TxType.NOT_SUPPORTED)
    static class Mailer {
        void send(@Observes @Delivered Placed event, OutboxMessage message, Attempts attempts) throws ConnectException {
            int calls = attempts.add(message);
            switch (event.what()) {
                case "permanent" -> throw new PermanentFailureException("no such customer");
                case "bug" -> throw new IllegalStateException("a bug of the handler");
                case "classifier throws" -> throw new IllegalCallerException();
                case "classifier throws a checked exception" -> throw new UnsupportedOperationException();
                case "classifier returns null" -> throw new ArithmeticException();
                case "broker down" -> {
                    if (calls <= 5) {
                        throw new BrokerIsDownException();
                    }
                }
                case "unreachable" -> {
                    if (calls <= 5) {
                        throw new ConnectException("refused");
                    }
                }
                default -> throw new AssertionError(event.what());
            }
        }

        @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 1, delay = 2000, successThreshold = 1)
        void behindCircuit(@Observes @Delivered Shipped event, OutboxMessage message, Attempts attempts) {
            if (attempts.add(message) <= 2) {
                throw new IllegalStateException("down");
            }
        }

        @Retry(maxRetries = 7, delay = 0, jitter = 0)
        @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 1, delay = 100)
        void retriedBehindCircuit(@Observes @Delivered Returned event, OutboxMessage message, Attempts attempts) {
            attempts.add(message);
            throw new IllegalStateException("a bug of the handler");
        }
    }

    private List<Integer> attempts() {
        return deployment.get(Attempts.class).all();
    }

    @Test
    void a_permanent_failure_that_it_leaves_alone_is_dead_after_one_attempt() {
        relay.publish("order.placed", "permanent");
        relay.untilAllIsOver();

        assertThat(attempts()).containsExactly(1);
        assertThat(relay.dead()).containsExactly("1 Mailer.send");
    }

    @Test
    void what_it_defers_uses_no_attempt() {
        relay.publish("order.placed", "unreachable");
        relay.untilAllIsOver();

        assertThat(attempts()).containsExactly(1, 1, 1, 1, 1, 1);
        assertThat(relay.dead()).isEmpty();
    }

    @Test
    void it_is_not_asked_about_an_outage_of_a_broker_which_uses_no_attempt() {
        relay.publish("order.placed", "broker down");
        relay.untilAllIsOver();

        assertThat(attempts()).containsExactly(1, 1, 1, 1, 1, 1);
        assertThat(relay.dead()).isEmpty();
    }

    @Test
    void an_open_circuit_that_it_leaves_alone_uses_no_attempt() {
        relay.publish("order.shipped", "any");
        relay.untilAllIsOver();

        assertThat(attempts()).containsExactly(1, 2, 3);
        assertThat(relay.dead()).isEmpty();
        assertThat(deployment.get(FailedAttempts.class).all())
                .as("the attempts that the circuit stopped")
                .anySatisfy(attempt -> {
                    assertThat(attempt.attempt()).isEqualTo(3);
                    assertThat(attempt.verdict()).isEqualTo(FailureClassifier.Verdict.DEFER);
                    assertThat(attempt.counted()).isFalse();
                    assertThat(attempt.nextAttemptIn()).isBetween(Duration.ofMillis(15), Duration.ofMillis(20));
                });
    }

    /** Each of its deliveries that reaches the handler opens the circuit for its last retries. */
    @Test
    void an_event_that_always_fails_is_a_dead_letter_in_the_end_although_its_retries_open_the_circuit() {
        relay.publish("order.returned", "poison");
        relay.untilAllIsOver();

        assertThat(attempts().stream().distinct()).containsExactly(1, 2, 3);
        assertThat(relay.dead()).containsExactly("3 Mailer.retriedBehindCircuit");
        assertThat(deployment.database().committed("SELECT error FROM outbox_dead"))
                .singleElement()
                .asString()
                .contains("a bug of the handler");
    }

    @Test
    void any_other_failure_that_it_leaves_alone_is_retried_until_the_attempts_are_used_up() {
        relay.publish("order.placed", "bug");
        relay.untilAllIsOver();

        assertThat(attempts()).containsExactly(1, 2, 3);
        assertThat(relay.dead()).containsExactly("3 Mailer.send");
    }

    @Test
    void one_that_throws_or_returns_null_is_logged_and_the_built_in_verdict_applies() {
        try (CapturedLog log = new CapturedLog()) {
            relay.publish("order.placed", "classifier throws");
            relay.untilAllIsOver();
            relay.publish("order.placed", "classifier throws a checked exception");
            relay.untilAllIsOver();
            relay.publish("order.placed", "classifier returns null");
            relay.untilAllIsOver();

            assertThat(log.lines)
                    .anyMatch(line -> line.contains("OUTBOX-0592") && line.contains("threw") && line.contains("RETRY"))
                    .anyMatch(line -> line.contains("OUTBOX-0592") && line.contains("returned null"));
        }
        assertThat(attempts()).containsExactly(1, 2, 3, 1, 2, 3, 1, 2, 3);
        assertThat(relay.dead()).hasSize(3);
    }
}
