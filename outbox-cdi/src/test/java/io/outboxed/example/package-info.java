/**
 * The example of docs/observability.md, which quotes it. {@code PropagationTest} in {@code internal.handlers} runs it,
 * and {@code ObservabilityPageTest} compares the page with it: a change starts with those two.
 */
package io.outboxed.example;
