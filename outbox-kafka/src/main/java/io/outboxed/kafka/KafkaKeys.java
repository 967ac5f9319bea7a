package io.outboxed.kafka;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The keys under {@code outbox.kafka} and their defaults: five of our own, and all of Kafka's producer. */
final class KafkaKeys {
    static final String PREFIX = "outbox.kafka.";
    static final String ROUTE_PREFIX = PREFIX + "route.";
    static final String FORMAT = PREFIX + "format";
    static final String SOURCE = PREFIX + "source";
    static final String UNROUTED = PREFIX + "unrouted";
    static final String STRICT = PREFIX + "strict";

    static final WireFormat DEFAULT_FORMAT = WireFormat.CLOUDEVENTS;
    static final String DEFAULT_SOURCE = "/outbox";
    static final Unrouted DEFAULT_UNROUTED = Unrouted.DEAD_LETTER;
    static final boolean DEFAULT_STRICT = false;

    /**
     * Settings of the producer with a default of their own, or a fixed value: an outage is noticed within {@code
     * outbox.lease}.
     */
    static final Map<String, String> PRODUCER_DEFAULTS = Map.of(
            ProducerConfig.ACKS_CONFIG, "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
            ProducerConfig.CLIENT_ID_CONFIG, "outbox",
            ProducerConfig.LINGER_MS_CONFIG, "0",
            ProducerConfig.MAX_BLOCK_MS_CONFIG, "2000",
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "3000",
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "7000");

    /** In strict mode: consumers wait this long for a node that died, unless its shards have a new owner. */
    static final Map<String, String> STRICT_DEFAULTS = Map.of(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "15000");

    /** Without these values events would be lost, or overtake each other. */
    static final Map<String, Set<String>> REQUIRED = Map.of(
            ProducerConfig.ACKS_CONFIG, Set.of("all", "-1"),
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, Set.of("true"),
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, Set.of("false"),
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, Set.of("1", "2", "3", "4", "5"));

    /** By name, why. */
    static final Map<String, String> NOT_CONFIGURABLE = Map.of(
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "the forwarder sets it itself",
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "the forwarder sets it itself",
            ProducerConfig.TRANSACTIONAL_ID_CONFIG, "the forwarder sets it itself",
            ProducerConfig.PARTITIONER_CLASS_CONFIG,
                    "a partitioner may ignore the key, so events of an aggregate could be in several partitions");

    private KafkaKeys() {}

    static boolean isOwn(String name) {
        return name.startsWith(ROUTE_PREFIX)
                || List.of(FORMAT, SOURCE, UNROUTED, STRICT).contains(name);
    }

    /** What happens with an event for whose type there is no route. */
    enum Unrouted {
        DEAD_LETTER,
        SKIP
    }

    /** How a word is written in the configuration. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
