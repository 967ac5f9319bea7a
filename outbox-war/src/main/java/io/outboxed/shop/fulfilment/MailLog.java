package io.outboxed.shop.fulfilment;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Stands in for a mail server: it has its own transaction, and keeps every mail that it has accepted. */
@ApplicationScoped
public class MailLog {

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    @Transactional(TxType.REQUIRES_NEW)
    public void append(Mail mail) {
        em.persist(mail);
    }
}
