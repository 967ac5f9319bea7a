/** Start with {@code RealKafkaTest}: which ports brokers are started on. */
package io.outboxed.servers.broker;
