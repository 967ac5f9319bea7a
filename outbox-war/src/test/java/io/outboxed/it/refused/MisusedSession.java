package io.outboxed.it.refused;

import io.outboxed.it.refused.Misuse.Used;
import jakarta.ejb.Asynchronous;
import jakarta.ejb.Stateless;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.faulttolerance.Retry;

/** What can be done wrong on a session bean. */
@Stateless
public class MisusedSession {

    @Asynchronous
    public void background(@Observes Used event) {}

    @Retry
    public void repeated(@Observes Used event) {}
}
