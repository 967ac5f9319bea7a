package org.example.crashes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.internal.capture.JpaUnit;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.jdbc.JdbcTransactionalAck;
import io.outboxed.internal.store.jdbc.RejectedHistory;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Priority;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** If the kit does not see where a delivery begins, a test that asks for a crash must not pass. */
@OutboxTest({UnseenClaimTest.Acks.class, UnseenClaimTest.Parking.class})
public class UnseenClaimTest {

    /** Of another type than the one that the kit looks for. */
    @ApplicationScoped
    @Priority(1)
    static class Acks {
        @Resource
        DataSource database;

        @Produces
        @Dependent
        @Alternative
        JdbcTransactionalAck ack(OutboxConfig config, JpaUnit unit) {
            return new JdbcTransactionalAck(
                    database,
                    work -> unit.onConnection(work::on),
                    Dialect.H2,
                    config.database().tablePrefix(),
                    new RejectedHistory(true, dropped -> {}));
        }
    }

    @EventType("car.parked")
    public record CarParked(@AggregateId String car) {}

    @ApplicationScoped
    static class Parking {
        void charge(@Observes CarParked parked) {
            // its transaction commits
        }
    }

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @Test
    void a_crash_that_could_not_be_made_is_a_failure() {
        outbox.crashAfter("Parking.charge");
        outbox.inTransaction(() -> events.publish(new CarParked("c-1")));

        assertThatThrownBy(outbox::drain)
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("Parking.charge was to crash");
    }
}
