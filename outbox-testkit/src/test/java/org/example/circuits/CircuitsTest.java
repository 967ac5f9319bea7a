package org.example.circuits;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.temporal.ChronoUnit;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A circuit that one test has opened is closed in the next one. */
@OutboxTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public class CircuitsTest {

    @EventType("parcel.sent")
    public record ParcelSent(@AggregateId String parcel) {}

    @ApplicationScoped
    static class Carrier {
        private boolean down;

        @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 1, delay = 1, delayUnit = ChronoUnit.HOURS)
        void tell(@Observes ParcelSent sent) {
            if (down) {
                throw new IllegalStateException("the carrier does not answer");
            }
        }

        void isDown(boolean newDown) {
            down = newDown;
        }
    }

    @Inject
    Carrier carrier;

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @Test
    @Order(1)
    void a_test_opens_the_circuit() {
        carrier.isDown(true);
        publish("p-1");
        publish("p-2");
        publish("p-3");
        outbox.drain();
        assertThat(outbox.calls())
                .extracting(HandlerCall::failure)
                .hasAtLeastOneElementOfType(CircuitBreakerOpenException.class);
    }

    @Test
    @Order(2)
    void the_next_test_finds_it_closed() {
        carrier.isDown(false);
        publish("p-1");
        outbox.drain();
        assertThat(outbox.calls()).extracting(HandlerCall::succeeded).containsExactly(true);
    }

    private void publish(String parcel) {
        outbox.inTransaction(() -> events.publish(new ParcelSent(parcel)));
    }
}
