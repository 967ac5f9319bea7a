package io.outboxed.rest;

import io.outboxed.rest.input.Input;
import java.util.function.Supplier;

/**
 * A part of a list.
 *
 * @param after the end of the previous page; null for the first page
 */
record PageRequest(String after, int limit) {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;
    private static final int MAX_POSITION = 1000;

    static PageRequest of(Input input) {
        return new PageRequest(input.text("after", MAX_POSITION), input.whole("limit", DEFAULT_LIMIT, MAX_LIMIT));
    }

    /** @param page throws IllegalArgumentException for a position that no page has returned */
    <T> T read(Input input, Supplier<T> page) {
        input.check();
        try {
            return page.get();
        } catch (IllegalArgumentException e) {
            input.problem("after", "is not the \"next\" of a page of this list");
            input.check();
            throw e;
        }
    }
}
