package io.outboxed.internal.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** A metrics API whose values a test reads; a series is written {@code name{label=value,...}}. */
public final class RecordingBackend implements MetricsBackend {
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final Map<String, List<Long>> times = new ConcurrentHashMap<>();
    private final Map<String, DoubleSupplier> gauges = new ConcurrentHashMap<>();

    @Override
    public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
        return counts.computeIfAbsent(series(metric, labels), key -> new AtomicLong())::addAndGet;
    }

    @Override
    public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
        List<Long> all = times.computeIfAbsent(series(metric, labels), key -> new ArrayList<>());
        return all::add;
    }

    @Override
    public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        gauges.put(series(metric, labels), value);
        return () -> gauges.remove(series(metric, labels));
    }

    /** 0 for a series that is not there. */
    public long count(String series) {
        AtomicLong count = counts.get(series);
        return count == null ? 0 : count.get();
    }

    public boolean isShown(String series) {
        return gauges.containsKey(series);
    }

    public double gauge(String series) {
        return gauges.get(series).getAsDouble();
    }

    /** In nanoseconds. */
    public List<Long> times(String series) {
        return times.getOrDefault(series, List.of());
    }

    public Map<String, Long> counts() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((series, count) -> all.put(series, count.get()));
        return all;
    }

    public int timeSeries() {
        return times.size();
    }

    private static String series(Metric metric, Map<Metric.Label, String> labels) {
        return metric.text()
                + labels.entrySet().stream()
                        .filter(each -> each.getKey() != Metric.Label.APPLICATION)
                        .map(each -> each.getKey().text() + "=" + each.getValue())
                        .collect(Collectors.joining(",", "{", "}"));
    }
}
