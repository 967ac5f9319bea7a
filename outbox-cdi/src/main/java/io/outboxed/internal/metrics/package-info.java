/**
 * What is measured, and the metrics APIs. One is chosen at deployment, none is required; {@code MetricsChoice} loads
 * only the classes of the one in use.
 */
package io.outboxed.internal.metrics;
