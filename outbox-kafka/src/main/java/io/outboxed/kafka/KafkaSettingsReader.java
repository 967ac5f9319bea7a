package io.outboxed.kafka;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.ConfiguredText;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.TypePatterns;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.Config;

/** Reads {@code outbox.kafka.*} from MicroProfile Config, and reports all problems together. */
final class KafkaSettingsReader {
    private static final Pattern BROKERS = Pattern.compile("\\s*[^\\s,]+:\\d+\\s*(,\\s*[^\\s,]+:\\d+\\s*)*");

    /** The settings that limit how long a send takes. */
    private static final List<String> LIMITS = List.of(
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            ProducerConfig.LINGER_MS_CONFIG);

    private static final String LONGEST_CALL =
            "that delivery.timeout.ms, twice max.block.ms and 1000 ms are together less than ";

    private final Config source;
    private final List<String> problems = new ArrayList<>();

    private KafkaSettingsReader(Config source) {
        this.source = source;
    }

    /** @throws OutboxException that lists all problems */
    static KafkaSettings read(Config source, OutboxConfig outbox) {
        KafkaSettingsReader reader = new KafkaSettingsReader(source);
        KafkaSettings settings = reader.settings();
        if (settings.strict()) {
            reader.problems.addAll(StrictRules.brokenBy(outbox.relay().claim()));
        }
        if (LIMITS.stream().allMatch(reader::isValid)) {
            reader.limits(settings, outbox);
        }
        reader.failOnProblems();
        return settings;
    }

    /** Names under {@code outbox.kafka} that neither we nor Kafka know: passed on, but probably misspelt. */
    static List<String> unknown(Config source) {
        return names(source)
                .filter(name -> !KafkaKeys.isOwn(name))
                .filter(name -> !ProducerConfig.configNames().contains(name.substring(KafkaKeys.PREFIX.length())))
                .toList();
    }

    private static Stream<String> names(Config source) {
        return ConfiguredText.names(source).stream().filter(name -> name.startsWith(KafkaKeys.PREFIX));
    }

    private KafkaSettings settings() {
        Routes routes = routes();
        boolean strict = isStrict();
        return new KafkaSettings(
                routes,
                word(KafkaKeys.FORMAT, KafkaKeys.DEFAULT_FORMAT, WireFormat.values()),
                sourceOfEvents(),
                word(KafkaKeys.UNROUTED, KafkaKeys.DEFAULT_UNROUTED, KafkaKeys.Unrouted.values())
                        == KafkaKeys.Unrouted.SKIP,
                strict,
                producer(strict));
    }

    private Routes routes() {
        Map<String, String> routes = new LinkedHashMap<>();
        names(source).filter(name -> name.startsWith(KafkaKeys.ROUTE_PREFIX)).forEach(name -> {
            String pattern = name.substring(KafkaKeys.ROUTE_PREFIX.length()).replaceAll("^\"(.*)\"$", "$1");
            text(name).ifPresent(topic -> {
                if (!TypePatterns.isPattern(pattern)) {
                    problems.add(name + ": expected " + TypePatterns.IN_WORDS + ", got " + pattern);
                } else if (!Routes.isTopic(topic)) {
                    problems.add(name + ": expected a topic (" + Routes.TOPIC_IN_WORDS + "), got " + topic);
                } else {
                    routes.put(pattern, topic);
                }
            });
        });
        if (routes.isEmpty() && problems.isEmpty()) {
            problems.add(KafkaKeys.ROUTE_PREFIX + "*: no route is set, so nothing would be forwarded. For example: "
                    + KafkaKeys.ROUTE_PREFIX + "\"order.*\"=orders");
        }
        return new Routes(routes);
    }

    private <E extends Enum<E>> E word(String key, E byDefault, E[] allowed) {
        Optional<String> written = text(key);
        Optional<E> found = written.flatMap(text -> Arrays.stream(allowed)
                .filter(value -> KafkaKeys.word(value).equalsIgnoreCase(text))
                .findFirst());
        if (written.isPresent() && found.isEmpty()) {
            problems.add(key + ": expected "
                    + Arrays.stream(allowed).map(KafkaKeys::word).collect(Collectors.joining("|")) + ", got "
                    + written.get());
        }
        return found.orElse(byDefault);
    }

    private boolean isStrict() {
        String text = text(KafkaKeys.STRICT).orElse(String.valueOf(KafkaKeys.DEFAULT_STRICT));
        if (!List.of("true", "false").contains(text.toLowerCase(Locale.ROOT))) {
            problems.add(KafkaKeys.STRICT + ": expected true|false, got " + text);
        }
        return Boolean.parseBoolean(text);
    }

    private String sourceOfEvents() {
        String text = text(KafkaKeys.SOURCE).orElse(KafkaKeys.DEFAULT_SOURCE);
        try {
            new URI(text);
        } catch (URISyntaxException e) {
            problems.add(KafkaKeys.SOURCE + ": expected a URI reference such as /shop or https://example.org/shop, got "
                    + text);
        }
        return text;
    }

    private Map<String, String> producer(boolean strict) {
        Map<String, String> settings = new HashMap<>(KafkaKeys.PRODUCER_DEFAULTS);
        if (strict) {
            settings.remove(ProducerConfig.CLIENT_ID_CONFIG);
            settings.putAll(KafkaKeys.STRICT_DEFAULTS);
        }
        ProducerConfig.configNames()
                .forEach(name -> text(KafkaKeys.PREFIX + name).ifPresent(value -> settings.put(name, value)));
        unknown(source)
                .forEach(key ->
                        text(key).ifPresent(value -> settings.put(key.substring(KafkaKeys.PREFIX.length()), value)));
        int before = problems.size();
        brokers(settings);
        if (strict) {
            problems.addAll(StrictRules.broken(settings));
        }
        KafkaKeys.NOT_CONFIGURABLE.forEach((name, why) -> {
            if (settings.containsKey(name)) {
                problems.add(KafkaKeys.PREFIX + name + ": can't be set, because " + why + ". Remove it");
            }
        });
        KafkaKeys.REQUIRED.forEach((name, allowed) -> {
            if (settings.containsKey(name) && !allowed.contains(settings.get(name))) {
                problems.add(KafkaKeys.PREFIX + name + ": expected "
                        + allowed.stream().sorted().collect(Collectors.joining("|"))
                        + ", or events could be lost or overtake each other; got " + settings.get(name));
            }
        });
        byKafka(settings);
        noOverflow(settings);
        if (problems.size() == before) {
            togetherByKafka(settings);
        }
        return Map.copyOf(settings);
    }

    private void brokers(Map<String, String> settings) {
        String brokers = settings.getOrDefault(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "");
        if (!BROKERS.matcher(brokers).matches()) {
            problems.add(KafkaKeys.PREFIX + ProducerConfig.BOOTSTRAP_SERVERS_CONFIG
                    + ": expected host:port, or several of them separated by commas, "
                    + (brokers.isEmpty() ? "but it is not set" : "got " + brokers));
        }
    }

    /** Kafka's own checks of each value but the brokers; they don't show passwords. */
    private void byKafka(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        for (ConfigValue value : ProducerConfig.configDef().validate(all)) {
            if (value.name().equals(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
                continue;
            }
            value.errorMessages().stream()
                    .findFirst()
                    .ifPresent(error -> problems.add(KafkaKeys.PREFIX + value.name() + ": " + error));
        }
    }

    /** Kafka takes any {@code long} for these, and the limits are sums of them. */
    private void noOverflow(Map<String, String> settings) {
        for (String name : List.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, ProducerConfig.LINGER_MS_CONFIG)) {
            if (isValid(name) && Long.parseLong(settings.get(name)) > Integer.MAX_VALUE) {
                problems.add(KafkaKeys.PREFIX + name + ": expected at most " + Integer.MAX_VALUE + ", got "
                        + settings.get(name));
            }
        }
    }

    /** The rules on several settings, as the producer checks them when it is opened; they don't show passwords. */
    private void togetherByKafka(Map<String, String> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        try {
            new ProducerConfig(all);
        } catch (ConfigException e) {
            problems.add(KafkaKeys.PREFIX + "*: " + e.getMessage());
        }
    }

    private boolean isValid(String name) {
        return problems.stream().noneMatch(problem -> problem.startsWith(KafkaKeys.PREFIX + name + ":"));
    }

    /** A send that outlives its call or its lease could put an old event behind a newer one. */
    private void limits(KafkaSettings settings, OutboxConfig outbox) {
        Duration longest = settings.longestSend();
        String both = KafkaKeys.PREFIX + "max.block.ms and " + KafkaKeys.PREFIX + "delivery.timeout.ms: expected ";
        if (longest.compareTo(outbox.relay().lease()) >= 0) {
            problems.add(both + "together less than outbox.lease ("
                    + outbox.relay().lease().toMillis() + " ms), got " + longest.toMillis() + " ms");
        }
        Duration timeout = outbox.handler().timeout();
        if (!timeout.isZero() && settings.longestCall().compareTo(timeout) >= 0) {
            problems.add((settings.strict() ? StrictRules.LONGEST_CALL : both + LONGEST_CALL)
                    + "outbox.handler.timeout ("
                    + timeout.toMillis() + " ms), got " + settings.longestCall().toMillis() + " ms");
        }
        if (settings.strict() && isValid(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG)) {
            StrictRules.brokenTimeout(settings).ifPresent(problems::add);
        }
        long requests = Long.parseLong(settings.producer().get(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG))
                + Long.parseLong(settings.producer().get(ProducerConfig.LINGER_MS_CONFIG));
        long delivery = longest.minus(settings.maxBlock()).toMillis();
        if (requests > delivery) {
            problems.add(KafkaKeys.PREFIX + "delivery.timeout.ms: expected at least request.timeout.ms and linger.ms"
                    + " together (" + requests + " ms), got " + delivery + " ms");
        }
    }

    private Optional<String> text(String key) {
        return ConfiguredText.of(source, key, problems)
                .map(written -> written.getValue().strip());
    }

    private void failOnProblems() {
        if (!problems.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0800",
                    problems.size() + (problems.size() == 1 ? " setting is" : " settings are")
                            + " wrong for Kafka; nothing was deployed:\n  " + String.join("\n  ", problems));
        }
    }
}
