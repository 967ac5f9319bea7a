package io.outboxed.shop;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Stands for a mail server: has its own transaction, and what it has taken it keeps. */
@ApplicationScoped
public class MailLog {

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    @Transactional(TxType.REQUIRES_NEW)
    public void append(Mail mail) {
        em.persist(mail);
    }
}
