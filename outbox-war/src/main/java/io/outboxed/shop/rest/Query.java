package io.outboxed.shop.rest;

import io.outboxed.shop.rest.OrderForm.BadField;
import java.util.List;

/** Reads query parameters; rejects a value that is not a number in its range, with the parameter's name. */
final class Query {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 200;

    private Query() {}

    static int limit(String value) {
        return (int) number("limit", value, DEFAULT_LIMIT, MAX_LIMIT);
    }

    static long id(String name, String value, long absent) {
        return number(name, value, absent, Long.MAX_VALUE);
    }

    private static long number(String name, String value, long absent, long max) {
        if (value == null) {
            return absent;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= 1 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw bad(name, max, e);
        }
        throw bad(name, max, null);
    }

    private static BadOrderException bad(String name, long max, Exception cause) {
        return new BadOrderException(
                "The address has an invalid parameter.",
                List.of(new BadField(name, "expected a whole number from 1 to " + max)),
                cause);
    }
}
