package org.example.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceUnit;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.util.List;
import javax.naming.InitialContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A crash can't show what a transaction that is not JTA's would leave, because the kit makes it one of JTA. */
class LedgerTest {

    @EventType("entry.booked")
    public record EntryBooked(@AggregateId String account) {}

    @ApplicationScoped
    static class Clerk {
        void book(@Observes EntryBooked entry) {
            // the crash is not reached
        }
    }

    @ApplicationScoped
    static class WithUnit {
        @PersistenceUnit(unitName = "ledger")
        EntityManagerFactory units;

        EntityManager ledger() {
            return units.createEntityManager();
        }
    }

    @ApplicationScoped
    static class WithContext {
        @PersistenceContext(unitName = "ledger")
        EntityManager ledger;
    }

    @ApplicationScoped
    static class WithProducer {
        @Produces
        @PersistenceUnit(unitName = "ledger")
        EntityManagerFactory units;
    }

    @ParameterizedTest
    @ValueSource(classes = {WithUnit.class, WithContext.class, WithProducer.class})
    void no_crash_is_shown_if_a_bean_uses_the_unit(Class<?> bean) {
        try (StandaloneOutbox application = start(List.of(Clerk.class, bean))) {
            assertThatThrownBy(() -> application.get(OutboxTester.class).crashAfter("Clerk.book"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("{ledger=RESOURCE_LOCAL}");
        }
    }

    @Test
    void a_unit_that_no_bean_uses_does_not_matter() {
        try (StandaloneOutbox application = start(List.of(Clerk.class))) {
            assertThatCode(() -> application.get(OutboxTester.class).crashAfter("Clerk.book"))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void a_unit_that_publishes_nothing_can_be_named_without_a_warning() {
        try (CapturedLog log = new CapturedLog();
                StandaloneOutbox application =
                        start(List.of(Clerk.class, WithUnit.class), "outbox.datasource.independent-units=ledger,old")) {
            assertThatCode(() -> application.get(OutboxTester.class).crashAfter("Clerk.book"))
                    .doesNotThrowAnyException();
            assertThat(log.lines())
                    .anyMatch(line -> line.contains("independent-units names old"))
                    .noneMatch(line -> line.contains("independent-units names ledger"));
        }
    }

    @Test
    void its_transaction_is_one_of_jta() throws Exception {
        try (StandaloneOutbox application = start(List.of(WithUnit.class));
                EntityManager ledger = application.get(WithUnit.class).ledger()) {
            UserTransaction transaction = (UserTransaction) new InitialContext().lookup("java:comp/UserTransaction");

            ledger.getTransaction().begin();
            assertThat(transaction.getStatus()).isEqualTo(Status.STATUS_ACTIVE);
            ledger.getTransaction().commit();
            assertThat(transaction.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);

            transaction.begin();
            ledger.getTransaction().begin();
            ledger.getTransaction().commit();
            assertThat(transaction.getStatus()).isEqualTo(Status.STATUS_ACTIVE);
            transaction.rollback();
        }
    }

    private StandaloneOutbox start(List<Class<?>> beans, String... settings) {
        return StandaloneOutbox.start(getClass(), beans, List.of(settings));
    }
}
