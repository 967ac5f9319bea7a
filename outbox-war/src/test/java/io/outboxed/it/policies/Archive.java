package io.outboxed.it.policies;

import io.outboxed.Outbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

@ApplicationScoped
public class Archive {

    @Inject
    Outbox outbox;

    @Transactional
    public void publish(Object event) {
        outbox.publish(event);
    }
}
