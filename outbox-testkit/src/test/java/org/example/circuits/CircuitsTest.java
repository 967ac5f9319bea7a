package org.example.circuits;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.junit.jupiter.api.Test;

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

    @Test
    void a_circuit_that_one_test_has_opened_is_closed_in_the_next_one() {
        try (StandaloneOutbox application = StandaloneOutbox.start(getClass(), List.of(Carrier.class), List.of())) {
            Carrier carrier = application.get(Carrier.class);

            application.reset();
            carrier.isDown(true);
            assertThat(failures(application, "p-1", "p-2", "p-3"))
                    .hasAtLeastOneElementOfType(CircuitBreakerOpenException.class);

            application.reset();
            carrier.isDown(false);
            assertThat(failures(application, "p-1")).containsOnlyNulls();
        }
    }

    private static List<Throwable> failures(StandaloneOutbox application, String... parcels) {
        Outbox events = application.get(Outbox.class);
        OutboxTester outbox = application.get(OutboxTester.class);
        for (String parcel : parcels) {
            outbox.inTransaction(() -> events.publish(new ParcelSent(parcel)));
        }
        outbox.drain();
        return outbox.calls().stream().map(HandlerCall::failure).toList();
    }
}
