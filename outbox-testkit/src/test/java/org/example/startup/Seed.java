package org.example.startup;

import io.outboxed.EventType;
import io.outboxed.Outbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

@ApplicationScoped
public class Seed {
    @Inject
    Outbox outbox;

    @EventType("seeded")
    public record Seeded(String name) {}

    @Transactional
    void publish(@Observes Startup start) {
        outbox.publish(new Seeded("first"));
    }

    void handle(@Observes Seeded event) {
        // its call is what counts
    }
}
