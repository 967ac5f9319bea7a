package io.outboxed.internal.config;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

/** Hands out the configuration, read once. */
@ApplicationScoped
class OutboxConfigBean {
    private final OutboxConfig config = OutboxConfig.DEFAULTS;

    @Produces
    OutboxConfig config() {
        return config;
    }
}
