/**
 * From measured values to docs/benchmarks. A change in medians, ratios, verdicts or the result line starts with
 * {@code FiguresTest}; a change of the page or its charts starts with {@code PageTest}.
 */
package io.outboxed.bench.report;
