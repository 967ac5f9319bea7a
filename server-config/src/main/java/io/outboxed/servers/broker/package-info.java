/** Real Kafka brokers in processes of their own. Whoever uses them needs Kafka's {@code kafka_2.13} on its class path. */
package io.outboxed.servers.broker;
