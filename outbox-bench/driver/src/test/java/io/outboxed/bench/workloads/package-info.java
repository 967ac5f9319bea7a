/** Tests of how the workloads compare. */
package io.outboxed.bench.workloads;
