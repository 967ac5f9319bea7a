/**
 * The deployment that only forwards, in a server. A change of the WAR or its configuration starts with
 * {@code KafkaRelayIT}. {@code StoredElsewhere} is a database with the events of another application. Forwarding
 * itself is tested in {@code outbox-kafka}.
 */
package io.outboxed.kafkarelay;
