package io.outboxed.internal.config;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import org.eclipse.microprofile.config.ConfigProvider;

/** Provides the configuration as a bean; it is read once. */
@ApplicationScoped
class OutboxConfigBean {
    private final OutboxConfig config = OutboxConfigReader.read(ConfigProvider.getConfig());

    @Produces
    OutboxConfig config() {
        return config;
    }
}
