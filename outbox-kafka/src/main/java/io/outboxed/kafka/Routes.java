package io.outboxed.kafka;

import io.outboxed.OutboxMessage;
import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.TypePatterns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which topic the events of a type go to.
 *
 * @param byPattern topics by {@linkplain TypePatterns pattern}. A topic may contain the placeholders {@code
 *     {aggregateType}} and {@code {type}}
 */
record Routes(Map<String, String> byPattern) {
    static final String TOPIC_IN_WORDS =
            "1 to 249 letters, digits, '.', '_' or '-', and the placeholders {aggregateType} and {type}";

    private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");
    private static final String AGGREGATE_TYPE = "{aggregateType}";
    private static final String TYPE = "{type}";

    Routes {
        byPattern = new LinkedHashMap<>(byPattern);
    }

    static boolean isTopic(String text) {
        return TOPIC.matcher(text.replace(AGGREGATE_TYPE, "a").replace(TYPE, "t"))
                .matches();
    }

    /** The topics without placeholders. */
    List<String> fixedTopics() {
        return byPattern.values().stream()
                .filter(topic -> !topic.contains("{"))
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * The topic of this message; empty if no route matches its type.
     *
     * @throws PermanentFailureException if the placeholders result in a name that Kafka does not allow
     */
    Optional<String> topicOf(OutboxMessage message) {
        return TypePatterns.longestMatch(byPattern, message.type()).map(template -> {
            String topic =
                    template.replace(AGGREGATE_TYPE, message.aggregateType()).replace(TYPE, message.type());
            if (!TOPIC.matcher(topic).matches()) {
                throw new PermanentFailureException("OUTBOX-0802 the topic " + template + " becomes \"" + topic
                        + "\" for " + message + ", which is not a topic name of Kafka. Nothing was sent. Change "
                        + KafkaKeys.ROUTE_PREFIX + "*, then replay the dead letter");
            }
            return topic;
        });
    }
}
