package io.outboxed.it.executor;

import jakarta.enterprise.context.RequestScoped;
import java.util.UUID;

/** Tells request contexts apart. */
@RequestScoped
public class Request {
    private final UUID id = UUID.randomUUID();

    public UUID id() {
        return id;
    }
}
