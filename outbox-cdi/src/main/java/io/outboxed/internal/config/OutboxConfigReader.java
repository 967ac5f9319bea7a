package io.outboxed.internal.config;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;

/**
 * Reads {@code outbox.*} from MicroProfile Config. Collects all problems and reports them together; an invalid value
 * falls back to the default, which is never used because the deployment fails.
 */
public final class OutboxConfigReader {
    private final Config source;
    private final Set<String> problems = new LinkedHashSet<>();
    /** Names of settings that could not be read: their defaults contradict nothing that was written. */
    private final Set<String> unreadable = new HashSet<>();

    private OutboxConfigReader(Config source) {
        this.source = source;
    }

    /** @throws OutboxException that lists all problems */
    public static OutboxConfig read(Config source) {
        OutboxConfigReader reader = new OutboxConfigReader(source);
        OutboxConfig config = reader.config();
        reader.failOnProblems();
        return config;
    }

    /**
     * For Hibernate's naming strategy, which has no injection. The default if the configured prefix is wrong: the
     * deployment then fails, with a message that lists all problems.
     */
    public static String tablePrefix() {
        return new OutboxConfigReader(ConfigProvider.getConfig()).value(ConfigKeys.TABLE_PREFIX);
    }

    /** Empty if the application or its server defines the data source. */
    public static Optional<String> dataSourceUrl() {
        return text(ConfigKeys.DATASOURCE_LOOKUP).isPresent() ? Optional.empty() : text(ConfigKeys.DATASOURCE_URL);
    }

    /** The key that names the database; empty if the application or its server defines the data source. */
    public static Optional<String> databaseKey() {
        return Stream.of(ConfigKeys.DATASOURCE_LOOKUP, ConfigKeys.DATASOURCE_URL)
                .filter(key -> text(key).isPresent())
                .map(ConfigKey::name)
                .findFirst();
    }

    /** Where the user and the password of the database are set. */
    public static String account() {
        if (text(ConfigKeys.DATASOURCE_LOOKUP).isPresent()) {
            return "those of the data source that " + ConfigKeys.DATASOURCE_LOOKUP.name() + " names";
        }
        return dataSourceUrl().isPresent()
                ? ConfigKeys.DATASOURCE_USER.name() + " and " + ConfigKeys.DATASOURCE_PASSWORD.name()
                        + ", or those in the URL"
                : "those of the data source java:app/jdbc/outbox";
    }

    private static Optional<String> text(ConfigKey<String> key) {
        return ConfigProvider.getConfig()
                .getOptionalValue(key.name(), String.class)
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    /**
     * For Hibernate's dialect, which has no injection: the configured one, otherwise derived from the URL.
     *
     * @throws OutboxException if the configured one is wrong
     * @throws IllegalArgumentException of the server, if the URL refers to itself; it may quote the URL
     */
    public static Optional<Dialect> dialect() {
        OutboxConfigReader reader = new OutboxConfigReader(ConfigProvider.getConfig());
        Dialect configured = reader.value(ConfigKeys.DATASOURCE_DIALECT);
        reader.failOnProblems();
        return Optional.ofNullable(configured)
                .or(() -> dataSourceUrl()
                        .map(url -> url.split(":", 3))
                        .filter(parts -> parts.length == 3)
                        .flatMap(parts ->
                                ConfigKeys.DATASOURCE_DIALECT.allowed().parse().apply(parts[1])));
    }

    /** One sentence for each {@code outbox.*} key that is not known. */
    public static List<String> warnings(Config source) {
        return UnknownKeys.in(ConfiguredText.names(source));
    }

    /** One sentence for each combination of settings that is accepted, but may repeat an effect. */
    public static List<String> risks(OutboxConfig config) {
        Duration remembered = config.retention().inbox();
        Map<String, OutboxConfig.Retry> retries = new TreeMap<>();
        retries.put(ConfigKeys.MAX_DELAY.name(), config.retries().general());
        config.retries()
                .overrides()
                .forEach((owner, retry) ->
                        retries.put(PolicyKey.prefixOf(ConfigKeys.MAX_DELAY) + "\"" + owner + "\".max-delay", retry));
        return retries.entrySet().stream()
                .filter(each -> remembered.compareTo(each.getValue().maxDelay()) <= 0)
                .map(each -> ConfigKeys.INBOX_RETENTION.name() + " (" + Durations.show(remembered)
                        + ") is not longer than " + each.getKey() + " ("
                        + Durations.show(each.getValue().maxDelay())
                        + "): a retry may run an effect of Inbox or @Idempotent once more")
                .toList();
    }

    private OutboxConfig config() {
        readDataSource();
        OutboxConfig.Retry retry = retry(null);
        OutboxConfig config = new OutboxConfig(
                new OutboxConfig.Database(
                        value(ConfigKeys.SCHEMA),
                        value(ConfigKeys.TABLE_PREFIX),
                        Optional.ofNullable(value(ConfigKeys.DATASOURCE_DIALECT)),
                        value(ConfigKeys.INDEPENDENT_UNITS)),
                relay(),
                new OutboxConfig.Handler(
                        value(ConfigKeys.HANDLER_TIMEOUT),
                        value(ConfigKeys.DOWN_AFTER),
                        value(ConfigKeys.DEFER_DELAY),
                        value(ConfigKeys.BATCH_SIZE)),
                new OutboxConfig.Retries(retry, overrides(ConfigKeys.MAX_ATTEMPTS, this::retry)),
                new OutboxConfig.Payload(
                        value(ConfigKeys.PAYLOAD_FORMAT),
                        value(ConfigKeys.MAX_BYTES),
                        value(ConfigKeys.PAYLOAD_VALIDATE)),
                value(ConfigKeys.ORDER),
                deadLetters(),
                retention(),
                observe(),
                admin());
        if (config.relay().claim() != ClaimStrategy.SHARDS
                && !config.relay().shards().isEmpty()) {
            problems.add(ConfigKeys.SHARDS.name() + ": expected nothing with " + ConfigKeys.CLAIM.name() + "="
                    + ConfigKeys.CLAIM.allowed().show().apply(config.relay().claim())
                    + ", where each node relays all shards");
        }
        atMost(
                ConfigKeys.POLL_MIN,
                config.relay().poll().min(),
                ConfigKeys.POLL_MAX,
                config.relay().poll().max());
        atMost(
                ConfigKeys.WORKERS,
                config.relay().workers(),
                ConfigKeys.MAX_IN_MEMORY,
                config.relay().maxInMemory());
        return config;
    }

    /** The data source reads these itself, and takes one that can't be read for one that is not set. */
    private void readDataSource() {
        boolean isConfiguredHere = value(ConfigKeys.DATASOURCE_LOOKUP) == null
                && written(ConfigKeys.DATASOURCE_URL.name()).isPresent();
        if (isConfiguredHere) {
            written(ConfigKeys.DATASOURCE_USER.name());
            written(ConfigKeys.DATASOURCE_PASSWORD.name());
        }
    }

    private OutboxConfig.Relay relay() {
        return new OutboxConfig.Relay(
                value(ConfigKeys.RELAY_ENABLED),
                value(ConfigKeys.WORKERS),
                value(ConfigKeys.ACK_BATCH_SIZE),
                value(ConfigKeys.MAX_IN_MEMORY),
                new OutboxConfig.Poll(value(ConfigKeys.POLL_MIN), value(ConfigKeys.POLL_MAX)),
                value(ConfigKeys.COMMIT_LAG),
                value(ConfigKeys.LEASE),
                value(ConfigKeys.DRAIN),
                value(ConfigKeys.NODE_LABEL),
                Optional.ofNullable(value(ConfigKeys.SHARDS)).orElse(Set.of()),
                value(ConfigKeys.CLAIM));
    }

    private OutboxConfig.Observe observe() {
        return new OutboxConfig.Observe(
                new OutboxConfig.Health(
                        value(ConfigKeys.HEALTH_STARTUP),
                        value(ConfigKeys.HEALTH_READINESS),
                        value(ConfigKeys.HEALTH_LIVENESS)),
                new OutboxConfig.Tracing(value(ConfigKeys.TRACING), value(ConfigKeys.TRACING_PARENT)),
                new OutboxConfig.Metrics(value(ConfigKeys.METRICS), value(ConfigKeys.BACKLOG_INTERVAL)));
    }

    private OutboxConfig.Admin admin() {
        return new OutboxConfig.Admin(
                value(ConfigKeys.ADMIN_ENABLED),
                value(ConfigKeys.ADMIN_EDIT),
                new OutboxConfig.Roles(
                        value(ConfigKeys.ADMIN_VIEWER),
                        value(ConfigKeys.ADMIN_OPERATOR),
                        value(ConfigKeys.ADMIN_EDITOR),
                        value(ConfigKeys.ADMIN_ADMIN)),
                value(ConfigKeys.ADMIN_CHALLENGE));
    }

    private OutboxConfig.Retention retention() {
        OutboxConfig.Partitions partitions = new OutboxConfig.Partitions(
                value(ConfigKeys.HISTORY_PARTITION),
                value(ConfigKeys.PARTITION_LOOK_AHEAD),
                value(ConfigKeys.PARTITION_INTERVAL));
        partitions
                .by()
                .period()
                .map(PartitionSettings::mostAhead)
                .filter(most -> partitions.lookAhead().compareTo(most) > 0)
                .ifPresent(most -> problems.add(ConfigKeys.PARTITION_LOOK_AHEAD.name() + ": expected at most "
                        + PartitionSettings.MOST_PERIODS_AHEAD + " periods of " + ConfigKeys.HISTORY_PARTITION.name()
                        + " ("
                        + Durations.show(most) + "), got " + Durations.show(partitions.lookAhead())));
        if (partitions.by().period().isPresent()) {
            atMost(
                    ConfigKeys.PARTITION_INTERVAL,
                    partitions.interval(),
                    ConfigKeys.PARTITION_LOOK_AHEAD,
                    partitions.lookAhead());
        }
        return new OutboxConfig.Retention(
                value(ConfigKeys.ON_SUCCESS),
                value(ConfigKeys.INBOX_RETENTION),
                Optional.ofNullable(value(ConfigKeys.HISTORY_RETENTION)),
                Optional.ofNullable(value(ConfigKeys.DEAD_LETTER_RETENTION)),
                value(ConfigKeys.AUDIT_RETENTION),
                value(ConfigKeys.CLEANUP_INTERVAL),
                value(ConfigKeys.CLEANUP_BATCH_SIZE),
                partitions);
    }

    /** @param owner a type or a handler; null for the policy of all others */
    private OutboxConfig.Retry retry(String owner) {
        ConfigKey<Duration> initialDelay = own(owner, ConfigKeys.INITIAL_DELAY);
        ConfigKey<Duration> maxDelay = own(owner, ConfigKeys.MAX_DELAY);
        OutboxConfig.Retry retry = new OutboxConfig.Retry(
                value(own(owner, ConfigKeys.MAX_ATTEMPTS)),
                value(initialDelay),
                value(own(owner, ConfigKeys.MULTIPLIER)),
                value(maxDelay),
                value(own(owner, ConfigKeys.JITTER)));
        atMost(initialDelay, retry.initialDelay(), maxDelay, retry.maxDelay());
        return retry;
    }

    private OutboxConfig.DeadLetters deadLetters() {
        ConfigKey<Boolean> order = ConfigKeys.DEAD_LETTER_ORDER;
        return new OutboxConfig.DeadLetters(value(order), overrides(order, owner -> value(own(owner, order))));
    }

    /**
     * The policies of single types and handlers.
     *
     * @param general one of the keys under whose prefix they are
     * @param policy reads the policy of one of them, which inherits what it does not set
     */
    private <P> Map<String, P> overrides(ConfigKey<?> general, Function<String, P> policy) {
        Set<String> owners = new LinkedHashSet<>();
        for (String name : ConfiguredText.names(source)) {
            PolicyKey.of(name)
                    .filter(key -> key.isKnown() && key.prefix().equals(PolicyKey.prefixOf(general)))
                    .ifPresent(key -> owners.add(key.owner()));
        }
        return owners.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), policy));
    }

    /** The owner's own key, if it is written: otherwise the general one, which it inherits. */
    private <T> ConfigKey<T> own(String owner, ConfigKey<T> key) {
        if (owner == null) {
            return key;
        }
        String prefix = PolicyKey.prefixOf(key);
        String attribute = key.name().substring(prefix.length());
        String quoted = prefix + "\"" + owner + "\"." + attribute;
        String plain = prefix + owner + "." + attribute;
        String name = owner.indexOf('.') < 0 && isStronger(plain, quoted) ? plain : quoted;
        boolean isWritten = written(name).isPresent() || unreadable.contains(name);
        return isWritten ? new ConfigKey<>(name, key.defaultValue(), key.allowed(), key.meaning()) : key;
    }

    private boolean isStronger(String plain, String quoted) {
        Optional<ConfigValue> other = written(quoted);
        return other.isEmpty()
                || written(plain)
                        .filter(value -> value.getSourceOrdinal() > other.get().getSourceOrdinal())
                        .isPresent();
    }

    private <T> T value(ConfigKey<T> key) {
        Optional<ConfigValue> written = written(key.name());
        if (written.isEmpty()) {
            return key.defaultValue();
        }
        Optional<T> parsed =
                key.allowed().parse().apply(written.get().getValue().strip());
        if (parsed.isEmpty()) {
            unreadable.add(key.name());
            problems.add(key.name() + ": expected " + key.allowed().description() + ", got "
                    + written.get().getValue() + " (from " + written.get().getSourceName() + ")");
        }
        return parsed.orElse(key.defaultValue());
    }

    private Optional<ConfigValue> written(String name) {
        int before = problems.size();
        Optional<ConfigValue> written = ConfiguredText.of(source, name, problems);
        if (problems.size() > before) {
            unreadable.add(name);
        }
        return written;
    }

    private <C extends Comparable<C>> void atMost(ConfigKey<C> small, C value, ConfigKey<C> large, C limit) {
        boolean areRead = !unreadable.contains(small.name()) && !unreadable.contains(large.name());
        if (areRead && value.compareTo(limit) > 0) {
            problems.add(small.name() + ": expected at most " + large.name() + " ("
                    + large.allowed().show().apply(limit) + "), got "
                    + small.allowed().show().apply(value));
        }
    }

    private void failOnProblems() {
        if (!problems.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0200",
                    Counted.of(problems.size(), "setting is", "settings are") + " wrong; nothing was deployed:\n  "
                            + String.join("\n  ", problems));
        }
    }
}
