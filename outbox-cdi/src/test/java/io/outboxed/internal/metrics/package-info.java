/**
 * Metrics. A new one starts with {@code OutboxMetersTest}; what every metrics API has to do is in
 * {@code BackendContract}, and which one is used is in {@code MetricsChoiceTest}. When the relay's loop changes a
 * metric is tested by {@code RelayMetricsTest} in {@code relay.loop}. {@code RecordingBackend} is a metrics API whose
 * values a test reads, {@code CapturedLog} holds the log lines of a test. {@code MetricsPageTest} requires a new
 * metric in docs/metrics.md.
 */
package io.outboxed.internal.metrics;
