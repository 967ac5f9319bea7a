package org.example.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.OutboxMessage;
import io.outboxed.spi.ContextPropagator;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A test is a request, as in a server. */
@OutboxTest
public class RequestScopeTest {

    @RequestScoped
    static class Tenant {
        private String name = "none yet";

        String name() {
            return name;
        }

        void is(String newName) {
            name = newName;
        }
    }

    @ApplicationScoped
    static class TenantPropagator implements ContextPropagator {

        @Inject
        Tenant tenant;

        @Override
        public Map<String, String> capture() {
            return Map.of("tenant", tenant.name());
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) {
            tenant.is(message.headers().get("tenant"));
            return null;
        }
    }

    @EventType("room.booked")
    public record RoomBooked(@AggregateId String room) {}

    @ApplicationScoped
    static class Invoices {
        private final List<String> tenants = new CopyOnWriteArrayList<>();

        @Inject
        Tenant tenant;

        void write(@Observes RoomBooked booked) {
            tenants.add(tenant.name());
        }

        List<String> tenants() {
            return tenants;
        }
    }

    @Inject
    Tenant tenant;

    @Inject
    Invoices invoices;

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @BeforeAll
    static void a_request_before_all_tests(Tenant tenant) {
        tenant.is("left over");
    }

    @BeforeEach
    void no_invoice_is_written() {
        invoices.tenants().clear();
    }

    @Test
    void a_bean_of_the_request_scope_can_be_called_by_a_test() {
        tenant.is("acme");
        publish();

        outbox.drain();

        assertThat(invoices.tenants()).containsExactly("acme");
    }

    @RepeatedTest(2)
    void each_test_has_a_request_of_its_own() {
        assertThat(tenant.name()).isEqualTo("none yet");
        tenant.is("left over");
    }

    @Test
    void runs_with_faults_belong_to_the_request_of_their_test() {
        tenant.is("acme");

        outbox.verifyRedelivery(this::publish, () -> tenant.name());

        assertThat(invoices.tenants()).isNotEmpty().containsOnly("acme");
    }

    private void publish() {
        outbox.inTransaction(() -> events.publish(new RoomBooked("r-1")));
    }
}
