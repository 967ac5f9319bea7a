package io.outboxed.internal.health;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one check.
 *
 * @param data numbers and names; never a payload, a header or a URL
 */
record Answer(boolean up, Map<String, String> data) {

    static Answer of(boolean up) {
        return new Answer(up, Map.of());
    }

    Answer with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(data);
        more.put(name, String.valueOf(value));
        return new Answer(up, more);
    }
}
