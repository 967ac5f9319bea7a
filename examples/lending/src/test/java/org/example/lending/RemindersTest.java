package org.example.lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.RollbackException;
import java.time.Duration;
import java.util.List;
import org.hibernate.exception.ConstraintViolationException;
import org.junit.jupiter.api.Test;

/** Loans and their reminders, without a server. */
@OutboxTest
class RemindersTest {

    @Inject
    Desk desk;

    @Inject
    OutboxTester outbox;

    @PersistenceContext(unitName = "lending")
    EntityManager em;

    @Test
    void a_loan_sets_a_reminder() {
        desk.lend("emma", "ada");
        assertEquals(List.of(new BookLent("emma", "ada")), outbox.published(BookLent.class));
        assertEquals(List.of(), reminders());

        outbox.drain();
        assertEquals(List.of("emma"), reminders());
    }

    @Test
    void a_loan_that_fails_sets_none() {
        desk.lend("emma", "ada");
        Exception lentTwice = assertThrows(RollbackException.class, () -> desk.lend("emma", "bob"));
        assertInstanceOf(ConstraintViolationException.class, lentTwice.getCause());

        outbox.drain();
        assertEquals(List.of("emma"), reminders());
        assertEquals(List.of(new BookLent("emma", "ada")), outbox.published(BookLent.class));
    }

    @Test
    void a_reminder_that_fails_is_set_a_second_later() {
        outbox.failNext("Reminders.remind", 1);
        desk.lend("emma", "ada");
        outbox.drain();
        assertEquals(List.of(), reminders());

        outbox.advance(Duration.ofSeconds(1));
        outbox.drain();
        assertEquals(List.of("emma"), reminders());
        assertEquals(List.of(), outbox.deadLetters());
    }

    @Test
    void crashes_and_repetitions_set_no_second_reminder() {
        outbox.verifyRedelivery(
                () -> {
                    desk.lend("emma", "ada");
                    desk.lend("ulysses", "bob");
                },
                this::reminders);
    }

    private List<String> reminders() {
        return em.createQuery("select r.book from Reminder r order by r.book", String.class)
                .getResultList();
    }
}
