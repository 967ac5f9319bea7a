package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.util.Map;
import java.util.TreeMap;

/** Headers as their column holds them: one JSON object of texts, names sorted. */
final class HeadersText {
    static final int MAX_NAME = 128;
    static final int MAX_TOTAL = 4000;

    private HeadersText() {}

    /** Null for no headers. */
    static String of(Map<String, String> headers, String type) {
        if (headers.isEmpty()) {
            return null;
        }
        JsonObjectBuilder json = Json.createObjectBuilder();
        new TreeMap<>(headers).forEach((name, value) -> {
            if (name.isBlank() || name.length() > MAX_NAME) {
                throw refused(
                        type,
                        "a header name has " + name.length() + " characters, 1 to " + MAX_NAME
                                + " that are not all blank are allowed");
            }
            StorableText.utf8Bytes(name, "a header name of " + type);
            StorableText.utf8Bytes(value, "the header " + name + " of " + type);
            json.add(name, value);
        });
        String text = json.build().toString();
        if (text.length() > MAX_TOTAL) {
            throw refused(
                    type,
                    headers.size() + " headers have " + text.length() + " characters as JSON, at most " + MAX_TOTAL
                            + " fit: put large values into the event");
        }
        return text;
    }

    private static OutboxException refused(String type, String why) {
        return new OutboxException("OUTBOX-0109", "the headers of " + type + " are refused: " + why);
    }
}
