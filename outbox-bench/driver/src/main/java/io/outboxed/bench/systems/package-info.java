/** What is compared: ours in an application server, plain JDBC, and peers. */
package io.outboxed.bench.systems;
