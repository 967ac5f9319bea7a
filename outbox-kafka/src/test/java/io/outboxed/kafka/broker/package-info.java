/** A real Kafka broker in a process of its own, for tests. */
package io.outboxed.kafka.broker;
