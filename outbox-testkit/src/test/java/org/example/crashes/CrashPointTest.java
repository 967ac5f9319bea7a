package org.example.crashes;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.OutboxMessage;
import io.outboxed.spi.ContextPropagator;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A requested crash comes when the handler has returned: not before it was called, and not with a later event. */
@OutboxTest({
    CrashPointTest.Tenants.class,
    CrashPointTest.TenantPropagator.class,
    CrashPointTest.Payments.class,
    CrashPointTest.Reminders.class
})
public class CrashPointTest {

    @ApplicationScoped
    static class Tenants {

        @Resource
        DataSource database;

        @Transactional
        void find() throws SQLException {
            try (Connection connection = database.getConnection()) {
                assertThat(connection.isValid(0)).isTrue();
            }
        }
    }

    /** Has a transaction of its own, before that of the delivery. */
    @ApplicationScoped
    static class TenantPropagator implements ContextPropagator {

        @Inject
        Tenants tenants;

        @Override
        public Map<String, String> capture() {
            return Map.of();
        }

        @Override
        public AutoCloseable restore(OutboxMessage message) throws SQLException {
            tenants.find();
            return null;
        }
    }

    @EventType("bill.paid")
    public record BillPaid(@AggregateId String account) {}

    @ApplicationScoped
    static class Payments {
        private final List<String> calls = new CopyOnWriteArrayList<>();

        void book(@Observes BillPaid paid) {
            calls.add(paid.account());
        }

        List<String> calls() {
            return calls;
        }
    }

    @EventType("bill.overdue")
    public record BillOverdue(@AggregateId String account) {}

    @ApplicationScoped
    static class Reminders {
        private final List<String> letters = new CopyOnWriteArrayList<>();

        @Fallback(fallbackMethod = "byLetter")
        void tell(@Observes BillOverdue overdue) {
            throw new IllegalStateException("mail is down");
        }

        void byLetter(BillOverdue overdue) {
            letters.add(overdue.account());
        }

        List<String> letters() {
            return letters;
        }
    }

    @Inject
    Payments payments;

    @Inject
    Reminders reminders;

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @BeforeEach
    void nothing_was_called() {
        payments.calls().clear();
        reminders.letters().clear();
    }

    @Test
    void a_crash_comes_after_the_handler_although_a_propagator_has_a_transaction_of_its_own() {
        outbox.crashAfter("Payments.book");
        publish(new BillPaid("a-1"));

        outbox.drain();

        assertThat(outbox.calls()).extracting(HandlerCall::succeeded).containsExactly(false, true);
        assertThat(payments.calls()).containsExactly("a-1", "a-1");
    }

    @Test
    void a_crash_comes_after_a_fallback_too() {
        outbox.crashAfter("Reminders.tell");
        publish(new BillOverdue("a-1"));

        outbox.drain();

        assertThat(outbox.calls()).extracting(HandlerCall::succeeded).containsExactly(false, true);
        assertThat(reminders.letters()).containsExactly("a-1", "a-1");
    }

    private void publish(Object event) {
        outbox.inTransaction(() -> events.publish(event));
    }
}
