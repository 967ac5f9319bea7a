/**
 * Traces from the publisher to the handler. A change of spans, of links or of what is stored starts with
 * {@code OpenTelemetryTracingTest}, with the real SDK. {@code WithoutApi} runs a class without the jars of a library.
 * The spans of a deployed handler are in {@code TracedHandlerTest} of {@code internal.handlers}.
 */
package io.outboxed.internal.tracing;
