package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PermanentFailureException;
import io.outboxed.spi.FailureClassifier.Verdict;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.junit.jupiter.api.Test;

class BuiltInVerdictTest {

    private static final class BrokerIsAwayException extends DeferredDeliveryException {
        private static final long serialVersionUID = 1L;

        BrokerIsAwayException() {
            super("OUTBOX-0803", "no broker answers");
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
}
