package io.outboxed.internal.testkit.standalone;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The state at the end of a run. A test may give an object that the next run changes: it would always equal itself.
 *
 * @param value a copy if it is a collection
 * @param text of the value at the end of its run
 */
record EndState(Object value, String text) {

    static EndState of(Object value) {
        Object copy = copy(value);
        return new EndState(copy, String.valueOf(copy));
    }

    private static Object copy(Object value) {
        if (value instanceof List<?> list) {
            return new ArrayList<>(list);
        }
        if (value instanceof Set<?> set) {
            return new LinkedHashSet<>(set);
        }
        return value instanceof Map<?, ?> map ? new LinkedHashMap<>(map) : value;
    }

    boolean isSameAs(EndState later) {
        boolean hasChangedSince = !String.valueOf(value).equals(text);
        return hasChangedSince ? text.equals(later.text) : Objects.equals(value, later.value);
    }
}
