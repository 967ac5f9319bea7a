/**
 * The forwarder against a real broker, in a process of its own that is killed.
 *
 * <p>What is sent: {@code JmsForwardingTest} and {@code MessagePropertiesTest}. A new setting:
 * {@code JmsSettingsReaderTest}, then {@code JmsPageTest} for docs/jms.md. The checks at the start:
 * {@code SenderTest}. What a failed send means: {@code FailedSendTest}. What a crash repeats:
 * {@code JmsBrokerFaultsTest}. In a full server: {@code JmsServerIT}.
 *
 * <p>Fixtures: {@code RealArtemis} is the broker, {@code BrokerInJndi} binds it for tests with the kit, and
 * {@code ForwardingNode} is a node that only forwards. {@code ScriptedBroker} fails as a test says.
 */
package io.outboxed.jms;
