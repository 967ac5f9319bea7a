package org.example.lending;

import io.outboxed.Outboxed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;

/** Lends books; the loan and its event are one transaction. */
@ApplicationScoped
public class Desk {

    @PersistenceContext(unitName = "lending")
    EntityManager em;

    @Outboxed
    @Transactional
    public BookLent lend(String book, String reader) {
        em.persist(new Loan(book, reader));
        return new BookLent(book, reader);
    }
}
