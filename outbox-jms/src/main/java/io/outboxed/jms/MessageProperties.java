package io.outboxed.jms;

import io.outboxed.OutboxMessage;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The properties of a message: the attributes of a CloudEvent, under the names that its AMQP binding recommends because
 * of JMS, and the application's headers.
 */
final class MessageProperties {
    /** Brokers give the messages of a group to one consumer at a time, in order. */
    static final String GROUP = "JMSXGroupID";

    static final String ATTRIBUTE = "cloudEvents_";

    /** Message selectors have these words. */
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    /** Of headers that become the same property, the first one is sent. Their own order differs from node to node. */
    private static final Comparator<Map.Entry<String, String>> UNCHANGED_NAMES_FIRST = Comparator.comparing(
                    (Map.Entry<String, String> header) ->
                            !validName(header.getKey()).equals(header.getKey()))
            .thenComparing(Map.Entry::getKey);

    private MessageProperties() {}

    static Map<String, String> of(OutboxMessage message, String source) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(ATTRIBUTE + "specversion", "1.0");
        properties.put(ATTRIBUTE + "id", message.id().toString());
        properties.put(ATTRIBUTE + "source", source);
        properties.put(ATTRIBUTE + "type", message.type());
        properties.put(ATTRIBUTE + "time", DateTimeFormatter.ISO_INSTANT.format(message.createdAt()));
        properties.put(ATTRIBUTE + "datacontenttype", contentType(message));
        if (!message.aggregateId().isEmpty()) {
            properties.put(ATTRIBUTE + "subject", message.aggregateId());
            properties.put(ATTRIBUTE + "partitionkey", message.aggregateId());
            properties.put(GROUP, message.aggregateId());
        }
        message.headers().entrySet().stream()
                .sorted(UNCHANGED_NAMES_FIRST)
                .forEach(header -> properties.putIfAbsent(validName(header.getKey()), header.getValue()));
        return properties;
    }

    private static String contentType(OutboxMessage message) {
        String own = message.text() != null ? "application/json" : "application/octet-stream";
        return message.headers().getOrDefault("content-type", own);
    }

    /** Letters, digits and underscores, and neither a word of selectors nor a name that belongs to JMS. */
    static String validName(String header) {
        String name = header.replaceAll("[^A-Za-z0-9_]", "_");
        boolean taken = name.matches("(?:[0-9]|JMS).*") || RESERVED.contains(name.toUpperCase(Locale.ROOT));
        return taken ? "_" + name : name;
    }
}
