/** The benchmark: {@link io.outboxed.bench.Bench} starts everything, runs the workloads and writes the report. */
package io.outboxed.bench;
