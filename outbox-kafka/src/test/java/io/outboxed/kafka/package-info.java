/**
 * Forwarding to Kafka. What is sent: {@code ForwardingTest} and {@code WireFormatTest}; what a crash repeats:
 * {@code BrokerFaultsTest}; a new setting: {@code KafkaSettingsReaderTest}.
 */
package io.outboxed.kafka;
