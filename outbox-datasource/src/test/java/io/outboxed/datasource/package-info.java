/**
 * The data source that reads its database from the configuration. A change of settings, URLs or error messages starts
 * with {@code ConfiguredDataSourceTest}; a change of how pooled connections open themselves again after an outage
 * starts with {@code ReconnectingConnectionTest}. The data source in real servers is tested by {@code outbox-war},
 * above all {@code OutageIT}.
 */
package io.outboxed.datasource;
