/** The workloads, one class for each question. */
package io.outboxed.bench.workloads;
