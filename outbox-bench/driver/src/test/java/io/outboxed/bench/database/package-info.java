/**
 * The messages of a workload. A change in their number, size or distribution over aggregates starts with
 * {@code ShapeTest}.
 */
package io.outboxed.bench.database;
