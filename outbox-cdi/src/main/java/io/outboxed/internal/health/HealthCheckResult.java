package io.outboxed.internal.health;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one check.
 *
 * @param data numbers and names; never a payload, a header or a URL
 */
record HealthCheckResult(boolean up, Map<String, String> data) {

    static HealthCheckResult of(boolean up) {
        return new HealthCheckResult(up, Map.of());
    }

    HealthCheckResult with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(data);
        more.put(name, String.valueOf(value));
        return new HealthCheckResult(up, more);
    }
}
