package io.outboxed.internal.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the publisher's trace id in a message's stored headers. */
final class TraceId {
    /** A quote inside a value is escaped there, so only the header itself matches. */
    private static final Pattern STORED = Pattern.compile("\"traceparent\":\"[0-9a-f]{2}-([0-9a-f]{32})-");

    private TraceId() {}

    /** {@code " trace=<id>"}, or nothing. */
    static String of(String headers) {
        if (headers == null) {
            return "";
        }
        Matcher stored = STORED.matcher(headers);
        return stored.find() ? " trace=" + stored.group(1) : "";
    }
}
