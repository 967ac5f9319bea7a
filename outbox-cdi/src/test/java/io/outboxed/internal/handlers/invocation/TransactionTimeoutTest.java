package io.outboxed.internal.handlers.invocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A delivery's transaction must outlive the call, or a slow handler would fail although it is within its time. */
class TransactionTimeoutTest {

    @Test
    void the_transaction_outlives_the_call() {
        assertThat(ObserverInvocation.transactionSeconds(Duration.ofMillis(100)))
                .isEqualTo(5);
        assertThat(ObserverInvocation.transactionSeconds(Duration.ofSeconds(30)))
                .isEqualTo(35);
    }

    @Test
    void without_a_timeout_of_the_call_the_transaction_may_take_weeks() {
        int seconds = ObserverInvocation.transactionSeconds(Duration.ZERO);

        assertThat(seconds).isEqualTo(20 * 24 * 60 * 60);
        assertThat(seconds * 1000).as("milliseconds in an int").isPositive();
    }
}
