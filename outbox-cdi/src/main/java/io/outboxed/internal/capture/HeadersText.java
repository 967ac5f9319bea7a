package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.tracing.TraceHeaders;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.spi.JsonProvider;
import java.util.Map;
import java.util.TreeMap;

/** Formats headers for their column: one JSON object of strings, sorted by name. */
final class HeadersText {
    static final int MAX_NAME = 128;
    static final int MAX_TOTAL = 4000;

    /** Cached, because each call of {@code Json} searches for the provider. */
    private static final JsonProvider JSON = JsonProvider.provider();

    private HeadersText() {}

    /**
     * Returns null if there are no headers.
     *
     * @param given by the application; rejected if they are too long
     * @param trace of the publisher; dropped if it does not fit in addition, {@code tracestate} first
     */
    static String of(Map<String, String> given, Map<String, String> trace, String type) {
        if (given.isEmpty() && trace.isEmpty()) {
            return null;
        }
        check(given, type);
        Map<String, String> all = new TreeMap<>(given);
        all.putAll(trace);
        String whole = json(all);
        return whole.length() <= MAX_TOTAL ? whole : withWhatFits(given, trace, type);
    }

    private static String withWhatFits(Map<String, String> given, Map<String, String> trace, String type) {
        String text = json(given);
        if (text.length() > MAX_TOTAL) {
            throw refused(
                    type,
                    given.size() + " headers have " + text.length() + " characters as JSON, the maximum is " + MAX_TOTAL
                            + ": put large values into the event");
        }
        Map<String, String> all = new TreeMap<>(given);
        for (String name : new TreeMap<>(trace).keySet()) {
            all.put(name, trace.get(name));
            String longer = json(all);
            if (longer.length() > MAX_TOTAL) {
                break;
            }
            text = longer;
        }
        return text;
    }

    /** Each of them; not how long they are together. */
    static void check(Map<String, String> headers, String type) {
        headers.forEach((name, value) -> check(name, value, type));
    }

    private static void check(String name, String value, String type) {
        if (name.isBlank() || name.length() > MAX_NAME) {
            throw refused(
                    type,
                    "a header name has " + name.length() + " characters, expected 1 to " + MAX_NAME
                            + " that are not all blank");
        }
        if (TraceHeaders.isReserved(name)) {
            throw new OutboxException(
                    "OUTBOX-0114",
                    "the header " + name + " of " + type
                            + " is reserved for the trace context of the publisher. Use another name");
        }
        StorableText.utf8Bytes(name, "a header name of " + type);
        StorableText.utf8Bytes(value, "the header " + name + " of " + type);
    }

    private static String json(Map<String, String> headers) {
        JsonObjectBuilder json = JSON.createObjectBuilder();
        new TreeMap<>(headers).forEach(json::add);
        return json.build().toString();
    }

    private static OutboxException refused(String type, String why) {
        return new OutboxException("OUTBOX-0109", "the headers of " + type + " are invalid: " + why);
    }
}
