package io.outboxed.internal.config;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Settings as a file gives them. */
public final class GivenSettings {
    private GivenSettings() {}

    public static OutboxConfig read(Map<String, String> values) {
        return OutboxConfigReader.read(source(values));
    }

    static SmallRyeConfig source(Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(values, "a file", 100))
                .build();
    }
}
