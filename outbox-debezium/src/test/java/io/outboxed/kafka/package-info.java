/**
 * Events that leave by Debezium. A change of the connector files in {@code server-config/debezium} starts with
 * {@code CutOverContract}, which changes from the relay to Debezium and back on MySQL and PostgreSQL.
 * {@code ForwardingRatesRun} is the benchmark W10 and is started by hand. {@code ConnectWorker} runs Kafka Connect,
 * {@code RelayProcess} a relay, {@code CapturedDatabase} the database and {@code Topic} reads what arrives.
 */
package io.outboxed.kafka;
