package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import java.util.regex.Pattern;

/** Checks types, aggregates and ids against the limits of their columns. */
public final class AddressCheck {
    static final int MAX_NAME = 128;

    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9._:/-]{1," + MAX_NAME + "}");

    private AddressCheck() {}

    public static boolean isType(String type) {
        return TYPE.matcher(type).matches();
    }

    public static EventAddress checked(EventAddress address) {
        if (!isType(address.type())) {
            throw new OutboxException(
                    "OUTBOX-0105",
                    "the event type \"" + shown(address.type()) + "\" is invalid: expected 1 to " + MAX_NAME
                            + " letters, digits, '.', '_', '-', ':' or '/'");
        }
        name(address.aggregateType(), "the aggregate type of " + address.type());
        name(address.aggregateId(), "the aggregate id of " + address.type());
        return address;
    }

    private static void name(String value, String what) {
        if (value.length() > MAX_NAME) {
            throw new OutboxException(
                    "OUTBOX-0105",
                    what + " has " + value.length() + " characters, the maximum is " + MAX_NAME + ": it begins with \""
                            + shown(value) + "\"");
        }
        StorableText.utf8Bytes(value, what);
    }

    /** Shortened, and without characters that would break a log line. */
    static String shown(String value) {
        String start = value.length() > 40 ? value.substring(0, 40) + "..." : value;
        return start.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    }
}
