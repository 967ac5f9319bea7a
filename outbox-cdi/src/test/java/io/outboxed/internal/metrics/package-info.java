/**
 * Metrics. A new one: {@code OutboxMetersTest}; what every metrics API has to do: {@code BackendContract}; which one is
 * used: {@code MetricsChoiceTest}.
 */
package io.outboxed.internal.metrics;
