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

    private static final Map<String, String> DECIDED = Map.of(
            "outbox.schema", "create",
            "outbox.on-success", "keep",
            "outbox.history.partition", "none",
            "outbox.relay.shards", "",
            "outbox.relay.claim", "");

    private final Map<String, String> settings = new HashMap<>(DEFAULTS);

    private TestConfig(Map<String, String> database, List<String> wanted) {
        Map<String, String> decided = new HashMap<>(DECIDED);
        decided.putAll(database);
        wanted.forEach(setting -> add(setting, decided.keySet()));
        settings.putAll(decided);
    }

    /** @param wanted each as key=value */
    static TestConfig inMemory(String name, List<String> wanted) {
        Map<String, String> database = Map.of(
                "outbox.datasource.url", "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1",
                "outbox.datasource.user", "sa",
                "outbox.datasource.password", "sa",
                "outbox.datasource.lookup", "",
                "outbox.datasource.dialect", "h2");
        return new TestConfig(database, wanted);
    }

    /** @param wanted each as key=value */
    static TestConfig withDataSource(String lookup, List<String> wanted) {
        Map<String, String> database = Map.of(
                "outbox.datasource.url", "",
                "outbox.datasource.lookup", lookup,
                "outbox.datasource.dialect", "");
        return new TestConfig(database, wanted);
    }

    private void add(String setting, Set<String> decided) {
        int equals = setting.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("\"" + setting + "\" in @OutboxTest is not key=value");
        }
        String key = setting.substring(0, equals).strip();
        if (decided.contains(key)) {
            throw new IllegalArgumentException("\"" + key + "\" in @OutboxTest can't be set: the test kit decides it,"
                    + " because its database is H2 in memory, with one node. Test what depends on it in a server");
        }
        settings.put(key, setting.substring(equals + 1).strip());
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
