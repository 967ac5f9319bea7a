package io.outboxed.internal.health;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/** The server's side of a response. */
final class CheckResponse extends HealthCheckResponseBuilder {
    private final Map<String, Object> data = new HashMap<>();
    private String name;
    private boolean up;

    @Override
    public HealthCheckResponseBuilder name(String newName) {
        name = newName;
        return this;
    }

    @Override
    public HealthCheckResponseBuilder withData(String key, String value) {
        data.put(key, value);
        return this;
    }

    @Override
    public HealthCheckResponseBuilder withData(String key, long value) {
        data.put(key, value);
        return this;
    }

    @Override
    public HealthCheckResponseBuilder withData(String key, boolean value) {
        data.put(key, value);
        return this;
    }

    @Override
    public HealthCheckResponseBuilder up() {
        return status(true);
    }

    @Override
    public HealthCheckResponseBuilder down() {
        return status(false);
    }

    @Override
    public HealthCheckResponseBuilder status(boolean isUp) {
        up = isUp;
        return this;
    }

    @Override
    public HealthCheckResponse build() {
        return new HealthCheckResponse(
                name, up ? HealthCheckResponse.Status.UP : HealthCheckResponse.Status.DOWN, Optional.of(data));
    }
}
