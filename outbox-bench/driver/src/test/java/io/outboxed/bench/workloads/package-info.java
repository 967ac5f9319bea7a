/** Tests of how the workloads compare. Start with {@link TurnsTest}. */
package io.outboxed.bench.workloads;
