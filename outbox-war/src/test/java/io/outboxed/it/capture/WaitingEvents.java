package io.outboxed.it.capture;

import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.List;

/** Queries the outbox in JPQL, as an application may, and publishes in the same transaction. */
@ApplicationScoped
public class WaitingEvents {

    @PersistenceContext(unitName = "outbox")
    EntityManager messages;

    @Inject
    Outbox outbox;

    @Transactional
    public List<String> seenBefore(String aggregateId, String payload) {
        List<String> seen = messages.createQuery(
                        "select r.payload from OutboxRow r where r.aggregateType = 'waiting'"
                                + " and r.aggregateId = :id order by r.seq",
                        String.class)
                .setParameter("id", aggregateId)
                .getResultList();
        outbox.publish(payload, PublishOptions.none().type("it.waiting").aggregate("waiting", aggregateId));
        return seen;
    }
}
