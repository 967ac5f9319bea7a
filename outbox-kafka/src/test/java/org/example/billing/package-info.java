/**
 * An application that consumes forwarded events, as docs/kafka.md shows it: {@code OrdersConsumer},
 * {@code Billing}, and {@code OrdersPolling}, which runs them. {@code KafkaPageTest} compares the page with it, and {@code OneEffectTest} and
 * {@code KilledConsumerTest} show that an event is billed once.
 */
package org.example.billing;
