package io.outboxed.internal.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Behaves as WildFly 39's registry for applications, and loses what that one loses: whatever a builder registers. */
final class ByNameRegistry extends SimpleMeterRegistry {
    private final MeterRegistry server;

    ByNameRegistry(MeterRegistry server) {
        this.server = server;
    }

    @Override
    public Counter counter(String name, Iterable<Tag> tags) {
        return server.counter(name, tags);
    }

    @Override
    public Timer timer(String name, Iterable<Tag> tags) {
        return server.timer(name, tags);
    }

    @Override
    public <T> T gauge(String name, Iterable<Tag> tags, T object, ToDoubleFunction<T> value) {
        return server.gauge(name, tags, object, value);
    }

    @Override
    public More more() {
        return new More() {
            @Override
            public <T> TimeGauge timeGauge(
                    String name, Iterable<Tag> tags, T object, TimeUnit unit, ToDoubleFunction<T> value) {
                return server.more().timeGauge(name, tags, object, unit, value);
            }
        };
    }

    @Override
    public Search find(String name) {
        return server.find(name);
    }

    @Override
    public Meter remove(Meter meter) {
        return server.remove(meter.getId());
    }
}
