/**
 * Forwarding to Kafka, against a real broker.
 *
 * <p>What is sent: {@code ForwardingTest} and {@code WireFormatTest}. A new setting: {@code KafkaSettingsReaderTest},
 * then {@code KafkaPageTest} for docs/kafka.md. What a failure costs: {@code SendFailureTest}; a broker that is late,
 * broken or secured: {@code BrokerConnectionTest} and {@code SecuredBrokerTest}. What a node says at its start:
 * {@code StartCheckTest}. That no transaction is open meanwhile: {@code OpenTransactionsTest}. Strict order:
 * {@code StrictSenderTest} and {@code StrictOrderTest}. What a crash repeats: {@code BrokerFaultsTest}; what a
 * consumer makes of it: {@code OneEffectTest} and {@code KilledConsumerTest}.
 * {@code ClusterFaultsRun} and {@code StrictRatesRun} are started by hand.
 *
 * <p>Fixtures: {@code KafkaAddress} starts the shared broker for tests with the kit, {@code Forwarders} and
 * {@code ConsumerProgram} are processes that are killed, {@code ForwardingNode} is a node that only forwards.
 */
package io.outboxed.kafka;
