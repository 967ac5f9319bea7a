package io.outboxed.internal.config;

import org.eclipse.microprofile.config.ConfigProvider;

/** Reads {@code outbox.*} from MicroProfile Config; the only class that knows the key names. */
public final class OutboxConfigReader {

    private OutboxConfigReader() {}

    /** For Hibernate's naming strategy, which no container injects. */
    public static String tablePrefix() {
        return ConfigProvider.getConfig()
                .getOptionalValue("outbox.table-prefix", String.class)
                .orElse(OutboxConfig.DEFAULTS.database().tablePrefix());
    }
}
