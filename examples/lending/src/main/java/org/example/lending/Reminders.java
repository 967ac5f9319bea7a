package org.example.lending;

import io.outboxed.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

/** Sets a reminder for each loan, after it was committed. */
@ApplicationScoped
public class Reminders {

    @PersistenceContext(unitName = "lending")
    EntityManager em;

    void remind(@Observes BookLent lent, OutboxMessage message) {
        em.persist(new Reminder(message.id().toString(), lent.book(), lent.reader()));
    }
}
