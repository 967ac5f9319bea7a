/** JMH benchmarks of the inner loops, without database and server: {@code -Dbench.workloads=jmh}. */
package io.outboxed.bench.jmh;
