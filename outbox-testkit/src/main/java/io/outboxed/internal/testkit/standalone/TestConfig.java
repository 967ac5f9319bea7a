package io.outboxed.internal.testkit.standalone;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** The application's configuration, with what a test changes above all of it. */
final class TestConfig implements ConfigSource {
    private static final int ABOVE_SYSTEM_PROPERTIES = 900;
    private static final Map<String, String> DEFAULTS =
            Map.of("outbox.retry.jitter", "false", "outbox.metrics", "none", "outbox.tracing", "none");

    private final Map<String, String> settings = new HashMap<>(DEFAULTS);

    /** @param wanted each as key=value */
    TestConfig(String databaseUrl, List<String> wanted) {
        wanted.forEach(this::add);
        settings.putAll(Map.of(
                "outbox.datasource.url", databaseUrl,
                "outbox.datasource.user", "sa",
                "outbox.datasource.password", "sa",
                "outbox.datasource.lookup", "",
                "outbox.datasource.dialect", "h2",
                "outbox.schema", "create",
                "outbox.on-success", "keep",
                "outbox.history.partition", "none",
                "outbox.relay.shards", "",
                "outbox.relay.claim", ""));
    }

    private void add(String setting) {
        int equals = setting.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("\"" + setting + "\" in @OutboxTest is not key=value");
        }
        settings.put(
                setting.substring(0, equals).strip(),
                setting.substring(equals + 1).strip());
    }

    /** @return ends the installation */
    Runnable install() {
        ConfigProviderResolver resolver = ConfigProviderResolver.instance();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        resolver.releaseConfig(resolver.getConfig(loader));
        Config config = resolver.getBuilder()
                .forClassLoader(loader)
                .addDefaultSources()
                .addDiscoveredSources()
                .addDiscoveredConverters()
                .withSources(this)
                .build();
        resolver.registerConfig(config, loader);
        return () -> resolver.releaseConfig(config);
    }

    @Override
    public int getOrdinal() {
        return ABOVE_SYSTEM_PROPERTIES;
    }

    @Override
    public Set<String> getPropertyNames() {
        return settings.keySet();
    }

    @Override
    public String getValue(String key) {
        return settings.get(key);
    }

    @Override
    public String getName() {
        return "@OutboxTest";
    }
}
