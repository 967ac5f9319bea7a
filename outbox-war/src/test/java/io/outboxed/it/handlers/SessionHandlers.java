package io.outboxed.it.handlers;

import io.outboxed.it.handlers.Events.Session;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** Handlers on a session bean. */
@Stateless
public class SessionHandlers {

    @Inject
    Notes notes;

    public void required(@Observes Session event) {
        fail(notes.take("required"));
    }

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void mandatory(@Observes Session event) {
        fail(notes.take("ejbMandatory"));
    }

    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public void supports(@Observes Session event) {
        fail(notes.take("supports"));
    }

    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void requiresNew(@Observes Session event) {
        notes.take("requiresNew");
    }

    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void notSupported(@Observes Session event) {
        notes.take("notSupported");
    }

    private static void fail(int call) {
        if (call < 2) {
            throw new IllegalStateException("call " + call + " fails");
        }
    }
}
