/**
 * The broker of the demo, without the demo. A change of how it is started or of what it shows starts with
 * {@code DemoKafkaTest}. Databases are tested in {@code database}.
 */
package io.outboxed.servers;
