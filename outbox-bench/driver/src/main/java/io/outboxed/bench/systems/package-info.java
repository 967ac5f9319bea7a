/** The systems that are compared: Outboxed in an application server, plain JDBC, and peers. */
package io.outboxed.bench.systems;
