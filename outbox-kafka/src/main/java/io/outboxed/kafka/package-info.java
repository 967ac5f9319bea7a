/** Forwards events to Kafka: a handler of any type, its settings, and the formats in which it writes. */
package io.outboxed.kafka;
