package io.outboxed.it.refused;

import io.outboxed.EventType;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.event.Reception;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.transaction.Transactional;
import org.eclipse.microprofile.faulttolerance.Retry;

/** Everything that can be done wrong on a CDI bean. */
@ApplicationScoped
public class Misuse {

    @EventType("misuse")
    public record Used(String id) {}

    @EventType("misuse")
    public record UsedToo(String id) {}

    void later(@ObservesAsync Used event) {}

    void afterwards(@Observes(during = TransactionPhase.AFTER_SUCCESS) Used event) {}

    void ifThere(@Observes(notifyObserver = Reception.IF_EXISTS) Used event) {}

    static void once(@Observes Used event) {}

    void everything(@Observes OutboxMessage message) {}

    @HandlerName("bad name")
    void badName(@Observes Used event) {}

    @Retry
    @Transactional
    void shared(@Observes Used event) {}

    void fine(@Observes Used event) {}

    void twin(@Observes UsedToo event) {}
}
