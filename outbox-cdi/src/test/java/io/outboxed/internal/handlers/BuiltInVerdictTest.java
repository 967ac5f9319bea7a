package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.spi.FailureClassifier.Verdict;
import io.smallrye.faulttolerance.api.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.temporal.ChronoUnit;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInVerdictTest {

    private static final class BrokerIsAwayException extends DeferredDeliveryException {
        private static final long serialVersionUID = 1L;

        BrokerIsAwayException() {
            super("OUTBOX-0803", "no broker answers");
        }
    }

    @EventType("order.placed")
    record Placed(String order) {}

    @ApplicationScoped
    static class Shop {
        void gives(@Observes @Delivered Placed event) {
            throw new PermanentFailureException("never");
        }

        @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 0.5, delay = 60_000)
        void broken(@Observes @Delivered Placed event) {
            throw new IllegalStateException("down");
        }

        @RateLimit(value = 1, window = 1, windowUnit = ChronoUnit.HOURS)
        void limited(@Observes @Delivered Placed event) {
            throw new IllegalStateException("called");
        }

        @Retry(maxRetries = 7, delay = 0, jitter = 0)
        @CircuitBreaker(requestVolumeThreshold = 4, failureRatio = 1, delay = 60_000)
        void poisoned(@Observes @Delivered Placed event) {
            throw new IllegalStateException("poison");
        }

        @Retry(maxRetries = 7, delay = 0, jitter = 0)
        @CircuitBreaker(requestVolumeThreshold = 4, failureRatio = 1, delay = 60_000)
        @Transactional(TxType.NOT_SUPPORTED)
        void poisonedOutside(@Observes @Delivered Placed event) {
            throw new IllegalStateException("poison");
        }
    }

    @Test
    void what_is_not_possible_now_is_deferred() {
        assertThat(BuiltInVerdict.of(new BrokerIsAwayException())).isEqualTo(Verdict.DEFER);
        assertThat(BuiltInVerdict.of(new CircuitBreakerOpenException())).isEqualTo(Verdict.DEFER);
        assertThat(BuiltInVerdict.of(new BulkheadException())).isEqualTo(Verdict.DEFER);
    }

    @Test
    void a_permanent_failure_is_not_retried_and_any_other_one_is() {
        assertThat(BuiltInVerdict.of(new PermanentFailureException("never"))).isEqualTo(Verdict.DEAD);
        assertThat(BuiltInVerdict.of(new IllegalStateException("not yet"))).isEqualTo(Verdict.RETRY);
    }

    @Test
    void an_outage_fills_no_stack_traces() {
        assertThat(new BrokerIsAwayException().getStackTrace()).isEmpty();
    }

    @Test
    void a_permanent_failure_is_dead_and_any_other_is_retried() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            assertThat(verdict(deployment, "Shop.gives")).isEqualTo(Verdict.DEAD);
            assertThat(verdict(deployment, "Shop.broken")).isEqualTo(Verdict.RETRY);
        }
    }

    @Test
    void an_open_circuit_defers() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            verdict(deployment, "Shop.broken");
            verdict(deployment, "Shop.broken");
            assertThat(verdict(deployment, "Shop.broken")).isEqualTo(Verdict.DEFER);
        }
    }

    @Test
    void a_rate_limit_of_smallrye_defers() {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            assertThat(verdict(deployment, "Shop.limited")).isEqualTo(Verdict.RETRY);
            assertThat(verdict(deployment, "Shop.limited")).isEqualTo(Verdict.DEFER);
        }
    }

    /** Otherwise an event that always fails would never be a dead letter: it opens the circuit with its own retries. */
    @ParameterizedTest
    @ValueSource(strings = {"Shop.poisoned", "Shop.poisonedOutside"})
    void a_circuit_that_the_retries_of_a_delivery_have_opened_does_not_defer_it(String handler) {
        try (Deployment deployment = Deployment.of(Shop.class)) {
            assertThat(failure(deployment, handler)).hasMessage("poison");
            assertThat(verdict(deployment, handler))
                    .as("of the next one, which the circuit stops")
                    .isEqualTo(Verdict.DEFER);
        }
    }

    private static Throwable failure(Deployment deployment, String handler) {
        return ((Outcome.Failed) deployment.deliver("order.placed", handler, "o-1")).failure();
    }

    /** Of a call's failure. */
    private static Verdict verdict(Deployment deployment, String handler) {
        Throwable failure = failure(deployment, handler);
        return deployment.deliveries().classify(Deployment.delivery("order.placed", handler, "o-1"), failure);
    }
}
